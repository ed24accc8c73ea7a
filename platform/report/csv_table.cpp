#include "platform/report/csv_table.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "platform/results/result_directory.h"

namespace muster {

namespace {

class csv_reader {
 public:
  csv_reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  csv_table read() {
    csv_table table;
    if (!at_end()) table.columns = row();
    if (table.columns.empty() || table.columns == std::vector<std::string>{""})
      throw output_error(fmt::format("{}: line 1: expected the names of columns", name_));
    while (!at_end()) {
      table.lines.push_back(line_);
      table.rows.push_back(row());
      if (table.rows.back().size() != table.columns.size())
        throw output_error(fmt::format("{}: line {}: expected {} fields as in line 1, found {}", name_,
                                       table.lines.back(), table.columns.size(), table.rows.back().size()));
    }
    return table;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  bool is_crlf(std::size_t at) const { return text_.substr(at, 2) == "\r\n"; }

  std::vector<std::string> row() {
    std::vector<std::string> fields{field()};
    while (!at_end() && text_[at_] == ',') {
      ++at_;
      fields.push_back(field());
    }
    if (is_crlf(at_)) ++at_;
    if (!at_end() && text_[at_] != '\n')
      throw output_error(
          fmt::format("{}: line {}: expected a comma or the end of the line after a quoted field", name_, line_));
    if (!at_end()) ++at_;
    ++line_;
    return fields;
  }

  std::string field() {
    if (at_end() || text_[at_] != '"') {
      std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
      if (end > at_ && is_crlf(end - 1)) --end;
      std::string plain(text_.substr(at_, end - at_));
      at_ = end;
      return plain;
    }
    return quoted();
  }

  std::string quoted() {
    const std::size_t first_line = line_;
    std::string content;
    for (++at_; !at_end(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_end() || text_[at_] != '"') return content;
      }
      if (text_[at_] == '\n') ++line_;
      content += text_[at_];
    }
    throw output_error(fmt::format("{}: line {}: a quoted field has no end", name_, first_line));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::optional<std::size_t> csv_table::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

csv_table read_csv(std::string_view text, const std::string& name) { return csv_reader(text, name).read(); }

std::optional<double> number_of(const std::string& field) {
  double value = 0.0;
  const char* end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  if (field.empty() || error != std::errc() || rest != end) return std::nullopt;
  return value;
}

}  // namespace muster
