// Numbers and names as the page shows them.
const title_of = (metric) => {
  const words = metric.replace(/_p(\d\d)$/, ", $1th percentile").replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
};
const with_unit = (name, unit) => (unit ? `${name} (${unit})` : name);
// A number that is not finite is stored as a text.
const finite = (value) => (Number.isFinite(value) ? value : null);
const plain_number = (value) => String(Number(value.toPrecision(6)));

// "12.5 G", "0.05": a number at an axis, whose name has the unit. Large ones have a prefix of the unit.
function axis_number(value) {
  const [scale, prefix] = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"]].find(([from]) => Math.abs(value) >= from) ?? [1, ""];
  return prefix && Math.abs(value) < 1e18 ? `${plain_number(value / scale)} ${prefix}` : plain_number(value);
}

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

// "4400 ± 2600", "71000 (0 .. 203000)": as with_interval() of number_text.h.
function with_interval(mean, low, high) {
  if (low === null || high === null) return with_digits(mean);
  const below = mean - low, above = high - mean, longer = Math.max(below, above), shorter = Math.min(below, above);
  const symmetric = longer <= 1.1 * shorter || !(longer > 0), plain = has_plain_form(mean) && has_plain_form(longer);
  if (symmetric && (!(longer > 0) || !plain)) return `${with_digits(mean)} ± ${with_digits(longer, 2)}`;
  if (!plain) return `${with_digits(mean)} (${with_digits(low)} .. ${with_digits(high)})`;
  const decimals = decimals_of(symmetric || shorter < 0.01 * longer ? longer : shorter, 2);
  const rounded = fixed(mean, mean === 0 ? decimals : Math.min(decimals, decimals_of(mean, 4)));
  return symmetric ? `${rounded} ± ${fixed(longer, decimals)}` : `${rounded} (${fixed(low, decimals)} .. ${fixed(high, decimals)})`;
}

// "0, 1, 7 to 30": ascending whole numbers, those without a gap by the first and the last of them.
function number_list(numbers, most_gaps = 60) {
  const runs = [];
  for (const n of numbers)
    if (runs.length && runs[runs.length - 1][1] === n - 1) runs[runs.length - 1][1] = n;
    else runs.push([n, n]);
  const words = runs.slice(0, most_gaps).flatMap(([low, high]) => (high - low < 2 ? [...new Set([low, high])] : [`${low} to ${high}`]));
  return [...words, ...(runs.length > most_gaps ? ["..."] : [])].join(", ");
}
