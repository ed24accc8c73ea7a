// Numbers and names as the page shows them.
const title_of = (metric) => {
  const words = metric.replace(/_p(\d\d)$/, ", $1th percentile").replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
};
const with_unit = (name, unit) => (unit ? `${name} (${unit})` : name);
// A number that is not finite is stored as a text.
const finite = (value) => (Number.isFinite(value) ? value : null);
const plain_number = (value) => String(Number(value.toPrecision(6)));

// Decimals with which a number has so many significant digits; fewer than none: how many last digits are zero.
const decimals_of = (value, digits) => digits - 1 - Number(value.toExponential(digits - 1).split("e")[1]);
const has_plain_form = (value) => value === 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e9);
function fixed(value, decimals) {
  if (decimals >= 0) return value.toFixed(decimals);
  const unit = 10 ** -decimals;
  return (Math.round(value / unit) * unit).toFixed(0);
}

// "4373", "0.05"
function with_digits(value, digits = 4) {
  return has_plain_form(value) && value !== 0 ? String(Number(fixed(value, decimals_of(value, digits)))) : String(Number(value.toPrecision(digits)));
}

// "4400 ± 2600": the half-width with two significant digits, the mean with four at most and no more decimals than that.
function with_half_width(mean, low) {
  if (low === null) return with_digits(mean);
  const half = mean - low;
  if (!(half > 0) || !has_plain_form(mean) || !has_plain_form(half)) return `${with_digits(mean)} ± ${with_digits(half, 2)}`;
  const decimals = decimals_of(half, 2);
  return `${fixed(mean, mean === 0 ? decimals : Math.min(decimals, decimals_of(mean, 4)))} ± ${fixed(half, decimals)}`;
}
