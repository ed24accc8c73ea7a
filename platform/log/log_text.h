#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// @name Parts of a line of a log
/// @{
/// A text without the blanks at both its ends.
std::string_view without_blanks(std::string_view text);
/// Takes the first line off a text.
std::string_view first_line(std::string_view& rest);
/// The first line of a text that is not blank; empty: there is none.
std::string_view first_text(std::string_view text);
/// Takes the part before a separator, or all of a text without one, off a text.
std::string_view take_part(std::string_view& rest, char separator);
/// The fields that a separator sets apart, into a vector that is used again.
void split(std::string_view line, char separator, std::vector<std::string_view>& fields);
/// The words that blanks set apart. @param most of them; what follows stays apart
void words_of(std::string_view line, std::size_t most, std::vector<std::string_view>& words);
/// Whether two texts are the same but for capitals.
bool same_word(std::string_view a, std::string_view b);
/// Whether a word is one of those that blanks set apart. @param exact whether capitals matter
bool has_word(std::string_view words, std::string_view word, bool exact = false);
/// @}

/// @name Values as logs write them. Nothing: the text is no such value.
/// @{
/// A finite number.
std::optional<double> number_of(std::string_view text);
/// A time in seconds: `[D-]HH:MM:SS`, `MM:SS`, a number of seconds, or a number with a unit such as `2 h`.
std::optional<double> duration_of(std::string_view text);
/// A moment in seconds: a number of them, or a date such as `2024-01-31T12:00:00`, in UTC where it names no other zone.
std::optional<double> moment_of(std::string_view text);
/// What makes a date such as `2023-02-29` one that the calendar does not have: "2023-02 has the days 01 to 28". Empty:
/// the text is no date, or the calendar has it.
std::string impossible_date(std::string_view text);
/// Memory in bytes: a number of them or one with a unit, of Slurm (`4G` is 4 * 2^30) or such as `4 GB`.
std::optional<double> memory_of(std::string_view text);
/// @}

/// The number of a name in a list such as `cpu=4,gres/gpu=2`; where it is not there, the sum over its kinds, such as
/// `gres/gpu:a100=2,gres/gpu:v100=1`. Nothing: neither is there.
std::optional<double> number_in_list(std::string_view list, std::string_view name);
/// The number of devices in a list of options such as `gpu:a100:2,nic`, or `gres:gpu:2` and `gres/gpu:2`, of all kinds
/// together. @param name such as `gres/gpu` @return 0: the list has none
double devices_in_list(std::string_view list, std::string_view name);
/// The value of a name in a list such as `cpu=4,mem=16G`; empty if it is not there.
std::string_view value_in(std::string_view list, std::string_view name);

}  // namespace muster
