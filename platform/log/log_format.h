#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/log/line_stream.h"
#include "platform/log/log_record.h"

namespace muster {

/// Reads a log job by job.
class log_reader {
 public:
  explicit log_reader(line_stream& lines) : lines_(lines) {}
  log_reader(const log_reader&) = delete;
  log_reader& operator=(const log_reader&) = delete;
  virtual ~log_reader() = default;

  /// Reads on to the next line that should tell of a job. @return whether there is one; if so, `record` holds it
  virtual bool next(log_record& record) = 0;
  /// Asks for amounts of resources beside cores and memory, by the names that the log has for them. Called before
  /// next().
  /// @return whether the format tells of any
  /// @throws log_error if it does, and the log does not tell of one of them
  virtual bool tell(const std::vector<std::string>& resources) {
    static_cast<void>(resources);
    return false;
  }
  /// What the head has said, as far as it is read.
  const log_header& header() const { return header_; }

 protected:
  /// Reads on to the next line that is not blank. @return whether there is one
  bool next_text();
  /// Keeps the names of resources of which tell() asks. @return true
  bool keep(const std::vector<std::string>& resources);
  /// Gives a record the amounts of the resources that are kept. @param amount_of takes the place of one of them
  template <class Amount>
  void give_amounts(log_record& record, const Amount& amount_of) {
    for (std::size_t n = 0; n < amounts_.size(); ++n) amounts_[n] = amount_of(n);
    if (!amounts_.empty()) record.amounts = amounts_.data();
  }
  /// Why a job that has ended cannot be simulated, as its times tell; empty: it can.
  static std::string_view flaw_of_times(const log_record& record, bool cancelled = false);
  /// Why a line is damaged whose fields are not as many as the heads.
  static std::string_view flaw_of_count(std::size_t fields, std::size_t heads) {
    return fields < heads ? "with fewer fields than heads" : "with more fields than heads";
  }

  line_stream& lines_;
  log_header header_;
  std::vector<std::string> resources_;  ///< that are kept

 private:
  std::vector<double> amounts_;  // of the job
};

/// The columns of a log by what they tell: pairs such as ("arrival", "submit"). Empty: they are called by what they
/// tell, or the format has columns of its own.
using log_columns = std::vector<std::pair<std::string, std::string>>;

/// A format of logs. A file NAME.cpp of formats/ defines `const log_format_entry NAME_format`.
struct log_format_entry {
  std::string_view name;
  int order;               ///< in which formats are tried, ascending
  std::string_view about;  ///< what it is, in some words
  bool takes_columns;      ///< whether it has a use for log_columns
  /// Whether a text is probably the beginning of such a log. @param begin some lines
  bool (*looks_alike)(std::string_view begin);
  /// Reads jobs that have ended. Null: the format tells of none.
  /// @param lines outlives the reader
  /// @throws log_error if its head is none of this format
  std::unique_ptr<log_reader> (*open)(line_stream& lines, const log_columns& columns);
  /// Reads jobs that wait or run, with log_record::state, as open() does. Null: the format tells of none.
  std::unique_ptr<log_reader> (*open_queue)(line_stream& lines) = nullptr;
};

/// Opens a log whose reader needs its lines alone, for log_format_entry::open.
template <class Reader>
std::unique_ptr<log_reader> open_log(line_stream& lines, const log_columns&) {
  return std::make_unique<Reader>(lines);
}

/// All formats, in their order.
const std::vector<const log_format_entry*>& log_format_catalogue();

/// The format of a log by its content; null if it is none.
const log_format_entry* format_of(std::string_view begin);

}  // namespace muster
