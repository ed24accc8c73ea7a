#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "platform/model/connected_fmu.h"
#include "tests/made_fmu.h"
#include "tests/scenario/graph_folder.h"

// The message for each mistake in [[fmu]], and for each FMU that cannot be used.

namespace muster {
namespace {

const std::string beside = R"(name = "room"
policy = "fcfs"
classes = [{ name = "job", rate = 0.5, size = { distribution = "exponential", mean = 1.0 } }]
run = { jobs = 100 }
[platform]
servers = [{ name = "node", power = { idle = 50.0, active = 200.0 } }]
)";

class mistakes_in_fmus : public graph_folder {
 protected:
  mistakes_in_fmus() {
    for (const int fmi : {2, 3}) write_zip(folder_ / fmt::format("room{}.fmu", fmi), described_fmu(fmi));
  }

  /// What is said of a scenario with an FMU. @param lines of its table, behind its file @param more further lines
  std::string of(const std::string& lines, int fmi = 3, const std::string& more = "") const {
    return complaints_here(beside + fmt::format("[[fmu]]\nfile = \"room{}.fmu\"\nevery = \"10 s\"\n", fmi) + lines +
                           "\n" + more);
  }
  /// What is said of an archive. @param change of its files
  template <class Change>
  std::string of_archive(const Change& change, int fmi = 3) const {
    archive_files files = described_fmu(fmi);
    change(files);
    write_zip(folder_ / "wrong.fmu", files);
    return of_file("wrong.fmu");
  }
  std::string of_file(const std::string& name) const {
    return complaints_here(beside + "[[fmu]]\nfile = \"" + name + "\"\nevery = 10\n");
  }
  /// What is said of an FMU whose description has another text in place of one.
  std::string of_description(const std::string& text, const std::string& other, int fmi = 3) const {
    return of_archive([&](archive_files& files) { boost::replace_first(files["modelDescription.xml"], text, other); },
                      fmi);
  }
};

std::string at_line(int line, int column, const std::string& key, const std::string& message,
                    const std::string& fmu = "room3") {
  return fmt::format("f.toml:{}:{}: fmu.{}.{}: {}", line, column, fmu, key, message);
}

TEST_F(mistakes_in_fmus, none_is_one_and_both_versions_are_read_alike) {
  const std::string lines =
      "inputs = { heat = \"power.node\", queue = \"waiting.job\" }\n"
      "outputs = { speed = \"speed.node\", open = \"in_service.node\" }\n"
      "start = { setpoint = 22, quiet = true, most_queued = 3 }\n";
  for (const int fmi : {2, 3}) {
    EXPECT_EQ(of(lines, fmi), "");
    const std::string text = beside + fmt::format("[[fmu]]\nfile = \"room{}.fmu\"\nevery = \"1 min\"\n", fmi) + lines;
    const study once = read_here(text);
    for (const study& s : {once, read_here(once.resolved)}) {
      const scenario& model = s.points.front().model;
      ASSERT_EQ(model.fmus.size(), 1u);
      const connected_fmu& fmu = *model.fmus.front();
      EXPECT_TRUE(model.controlled && model.fmus_control());
      EXPECT_EQ(fmu.name, fmt::format("room{}", fmi));
      EXPECT_EQ(fmu.every, 60.0);
      EXPECT_EQ(fmu.start[1].second, 1.0);
      EXPECT_EQ(
          s.notes(),
          std::vector<std::string>{fmt::format(
              "FMU 'room{0}' (FMI {0}.0), every 60 s; it takes heat = power.node, queue = waiting.job; the cluster "
              "takes speed.node = speed, in_service.node = open: loads are those without these changes, and no "
              "limit that is derived and no exact value counts them",
              fmi)});
    }
  }
}

TEST_F(mistakes_in_fmus, in_names_are_told_with_the_nearest_one) {
  EXPECT_EQ(of("inputs = { heet = \"power\" }"),
            at_line(10, 19, "inputs", "the FMU has no variable 'heet'; did you mean 'heat'?"));
  EXPECT_EQ(of("inputs = { heat = \"powr\" }"),
            at_line(10, 19, "inputs", "the cluster has no output 'powr'; did you mean 'power'?"));
  EXPECT_EQ(of("outputs = { speed = \"speed.nod\" }"),
            at_line(10, 21, "outputs", "the cluster has no input 'speed.nod'; did you mean 'speed.node'?"));
  EXPECT_EQ(of("start = { set_point = 1.0 }"),
            at_line(10, 23, "start", "the FMU has no variable 'set_point'; did you mean 'setpoint'?"));
}

TEST_F(mistakes_in_fmus, in_causality_type_and_unit_are_told) {
  EXPECT_EQ(of("inputs = { speed = \"power\" }"),
            at_line(10, 20, "inputs", "'speed' of the FMU has the causality 'output'; expected input"));
  EXPECT_EQ(of("outputs = { heat = \"speed.node\" }"),
            at_line(10, 20, "outputs", "'heat' of the FMU has the causality 'input'; expected output"));
  EXPECT_EQ(of("start = { capacity = 1.0 }"),
            at_line(10, 22, "start", "'capacity' of the FMU has the causality 'local'; expected parameter or input"));
  EXPECT_EQ(
      of("inputs = { heat = \"speed.node\" }"),
      at_line(10, 19, "inputs", "'speed.node' of the cluster is an input; expected an output, which can be read"));
  EXPECT_EQ(of("outputs = { speed = \"power\" }"),
            at_line(10, 21, "outputs", "'power' of the cluster is an output; expected an input, which can be set"));
  EXPECT_EQ(of("inputs = { queue = \"power\" }"),
            at_line(10, 20, "inputs", "'queue' of the FMU is of the type Int32; expected Float64"));
  EXPECT_EQ(of("outputs = { open = \"speed.node\" }", 2),
            at_line(10, 20, "outputs", "'open' of the FMU is of the type Boolean; expected Real or Integer", "room2"));
  EXPECT_EQ(of("start = { label = \"x\" }"),
            at_line(10, 19, "start",
                    "'label' of the FMU is of the type String; expected Float64 or Int32 or Int64 or Boolean"));
  EXPECT_EQ(of("inputs = { heat = \"energy\" }", 2),
            at_line(10, 19, "inputs",
                    "'heat' of the FMU is in W, but 'energy' of the cluster in J; expected the same unit", "room2"));
}

TEST_F(mistakes_in_fmus, in_what_takes_servers_from_schedulers_that_share_them_or_take_jobs_from_each_other_are_told) {
  const auto with = [&](const std::string& schedulers, const std::string& outputs) {
    return complaints_here(boost::replace_first_copy(beside, "\"node\"", "\"node\", count = 2") +
                           "schedulers = { count = 2, " + schedulers +
                           " }\n[[fmu]]\nfile = \"room3.fmu\"\nevery = 10\noutputs = { " + outputs + " }\n");
  };
  const std::string sharing = "partition = \"shared\"", stealing = "work_stealing = true";
  for (const std::string& schedulers : {sharing, stealing}) EXPECT_EQ(with(schedulers, "speed = \"speed.node\""), "");
  EXPECT_EQ(with(sharing, "open = \"in_service.node\""),
            at_line(11, 20, "outputs",
                    "'in_service.node' of the cluster takes servers out of service, and schedulers share them; "
                    "expected another input, or partition \"servers\""));
  EXPECT_EQ(with(stealing, "open = \"in_service.node\""),
            at_line(11, 20, "outputs",
                    "'in_service.node' of the cluster takes servers out of service, and schedulers take jobs from each "
                    "other; expected another input, or no work_stealing"));
}

// FMI 3.0 has arrays. An FMU may have some, as long as nothing is connected to one as a whole.
TEST_F(mistakes_in_fmus, in_arrays_are_told) {
  archive_files files = described_fmu(3);
  boost::replace_first(files["modelDescription.xml"], "causality=\"input\" unit=\"W\"/>",
                       "causality=\"input\" unit=\"W\"><Dimension start=\"4\"/></Float64>");
  write_zip(folder_ / "racks.fmu", files);
  const auto of_racks = [&](const std::string& lines) {
    return complaints_here(beside + "[[fmu]]\nfile = \"racks.fmu\"\nevery = 10\n" + lines + "\n");
  };
  EXPECT_EQ(of_racks("outputs = { speed = \"speed.node\" }"), "");
  EXPECT_EQ(of_racks("inputs = { heat = \"power\" }"),
            at_line(10, 19, "inputs", "'heat' of the FMU is an array of Float64; expected a single Float64", "racks"));
  EXPECT_EQ(of_racks("start = { heat = 1.0 }"),
            at_line(10, 18, "start",
                    "'heat' of the FMU is an array of Float64; expected a single Float64 or Int32 or Int64 or Boolean",
                    "racks"));
}

// An FMU without a name has that of its file, so that sweeps and `--set` name it.
TEST_F(mistakes_in_fmus, one_without_a_name_is_swept_by_that_of_its_file) {
  const std::string text = beside + "[[fmu]]\nfile = \"room3.fmu\"\nevery = 10\nstart = { setpoint = 22 }\n";
  const study swept = read_here(text + "[sweep]\n\"fmu.room3.start.setpoint\" = [20, 30]\n", {"fmu.room3.every=5"});
  ASSERT_EQ(swept.points.size(), 2u);
  for (const study& s : {swept, read_here(swept.resolved)})
    for (std::size_t p = 0; p < 2; ++p) {
      const connected_fmu& fmu = *s.points[p].model.fmus.front();
      EXPECT_EQ(fmu.name, "room3");
      EXPECT_EQ(fmu.every, 5.0);
      EXPECT_EQ(fmu.start.front().second, p == 0 ? 20.0 : 30.0);
    }
  EXPECT_EQ(complaints_here(text, {"fmu.rom3.every=5"}),
            "--set fmu.rom3.every=5:1:1: fmu.rom3.every: unknown name 'rom3' in fmu; did you mean 'room3'?");
  // A file that has no valid name, as one with a blank, is called by its place.
  write_zip(folder_ / "a room.fmu", described_fmu(3));
  EXPECT_EQ(complaints_here(beside + "[[fmu]]\nfile = \"a room.fmu\"\nevery = 0\n"),
            "f.toml:9:9: fmu[0].every: expected a number > 0, found 0");
}

TEST_F(mistakes_in_fmus, in_values_are_told) {
  EXPECT_EQ(of("inputs = \"power\""),
            at_line(10, 10, "inputs", "expected a table such as { heat = \"power\" }, found a string"));
  EXPECT_EQ(of("inputs = { heat = 1.0 }"),
            at_line(10, 19, "inputs", "expected the name of a variable of the cluster, found a number"));
  EXPECT_EQ(of("start = { setpoint = true }"),
            at_line(10, 22, "start", "expected a number for 'setpoint', found a boolean"));
  EXPECT_EQ(of("start = { most_queued = 1.5 }"),
            at_line(10, 25, "start", "expected an integer of 32 bits for 'most_queued', found 1.5"));
  EXPECT_EQ(of("start = { most_queued = 2147483648 }"),
            at_line(10, 25, "start", "expected an integer of 32 bits for 'most_queued', found 2147483648"));
  EXPECT_EQ(of("start = { setpoint = nan }"), at_line(10, 22, "start", "expected a number for 'setpoint', found nan"));
  EXPECT_EQ(of("start = { setpoint = -inf }"),
            at_line(10, 22, "start", "expected a number for 'setpoint', found -inf"));
  EXPECT_EQ(of("start = { most_queued = \"3\" }"),
            at_line(10, 25, "start", "expected an integer of 32 bits for 'most_queued', found a string"));
  EXPECT_EQ(of("start = { quiet = 1 }"),
            at_line(10, 19, "start", "expected true or false for 'quiet', found an integer"));
  EXPECT_EQ(of("inputs = { heat = \"power\" }\nstart = { heat = 1.0 }"),
            at_line(11, 18, "start", "'heat' is among the inputs, which the cluster sets"));
  EXPECT_EQ(of("evry = 1"), at_line(10, 1, "evry", "unknown key; did you mean 'every'?"));
  EXPECT_EQ(complaints_here(beside + "[fmu]\nfile = \"room3.fmu\"\nevery = 10\n"),
            "f.toml:7:1: fmu: expected an array of tables, each with [[fmu]] at its head, found a table");
}

// Whole numbers of 64 bits, which FMI 3.0 alone has, as far as a double has them one by one.
TEST_F(mistakes_in_fmus, in_long_integers_are_told) {
  const auto of_long = [&](const std::string& lines) {
    archive_files files = described_fmu(3);
    boost::replace_all(files["modelDescription.xml"], "<Int32 ", "<Int64 ");
    write_zip(folder_ / "long.fmu", files);
    return complaints_here(beside + "[[fmu]]\nfile = \"long.fmu\"\nevery = 10\n" + lines + "\n");
  };
  EXPECT_EQ(of_long("inputs = { queue = \"waiting.job\" }\nstart = { most_queued = -9007199254740992 }"), "");
  EXPECT_EQ(of_long("inputs = { queue = \"power\" }"),
            at_line(10, 20, "inputs", "'queue' of the FMU is of the type Int64; expected Float64", "long"));
  EXPECT_EQ(of_long("start = { most_queued = 9007199254740994 }"),
            at_line(10, 25, "start", "expected an integer of at most 53 bits for 'most_queued', found 9007199254740994",
                    "long"));
  EXPECT_EQ(of_long("start = { most_queued = 0.5 }"),
            at_line(10, 25, "start", "expected an integer of at most 53 bits for 'most_queued', found 0.5", "long"));
}

TEST_F(mistakes_in_fmus, of_two_that_set_the_same_or_have_the_same_name_are_told) {
  const std::string sets = "outputs = { speed = \"speed.node\" }\n";
  const std::string other = "[[fmu]]\nfile = \"room2.fmu\"\nevery = 1\n";
  EXPECT_EQ(of(sets, 3, other + sets),
            "f.toml:15:21: fmu.room2.outputs: 'speed.node' of the cluster is set by FMU 'room3' already; expected one "
            "output that sets it");
  EXPECT_EQ(of("", 2, other), "f.toml:11:1: fmu.room2.name: another FMU is called 'room2'; expected a name of its own");
  EXPECT_EQ(of("", 2, other + "name = \"other\"\n"), "");
}

TEST_F(mistakes_in_fmus, no_fmu_is_told_that_this_program_cannot_run) {
  const auto refused = [](const std::string& why) { return at_line(8, 8, "file", "'wrong.fmu' " + why, "wrong"); };
  EXPECT_EQ(of_description("fmiVersion=\"3.0\"", "fmiVersion=\"1.0\""),
            refused("is of FMI '1.0'; expected 2.0 or 3.0"));
  EXPECT_EQ(of_description("CoSimulation", "ModelExchange"),
            refused("is for model exchange; expected an FMU for co-simulation"));
  EXPECT_EQ(of_description("CoSimulation ", "CoSimulation needsExecutionTool=\"true\" "),
            refused("needs another program that executes it; expected an FMU that stands alone"));
  EXPECT_EQ(of_description("\"cooling\"/>", "\"../cooling\"/>"),
            refused("has the modelIdentifier '../cooling'; expected a name"));
  EXPECT_EQ(of_description("<ModelStructure/>", "<ModelStructure>"),
            refused("has a modelDescription.xml that is not well-formed in line 21: Start-end tags mismatch"));
  EXPECT_EQ(of_archive([](archive_files& files) { files.erase("modelDescription.xml"); }),
            refused("has no modelDescription.xml"));
  EXPECT_EQ(of_archive(
                [](archive_files& files) {
                  files = {{"modelDescription.xml", cooling_description(2)}, {"binaries/win64/cooling.dll", ""}};
                },
                2),
            refused("has no binaries/linux64/cooling.so; expected a binary for this processor, found win64"));
}

TEST_F(mistakes_in_fmus, a_description_that_contradicts_the_standard_is_told) {
  const auto refused = [](const std::string& why) { return at_line(8, 8, "file", "'wrong.fmu' " + why, "wrong"); };
  EXPECT_EQ(of_description("fmiVersion=\"3.0\"", "fmiVersion=\"3.0-beta.5\""),
            refused("is of FMI '3.0-beta.5'; expected 2.0 or 3.0"));
  EXPECT_EQ(of_description("fmiVersion=\"3.0\"", "fmiVersion=\"3.0.1\""), "");
  for (const int fmi : {2, 3}) {
    for (const std::string reference : {"zz", "", "-1", "1.0", "0x", "4294967296"})
      EXPECT_EQ(of_description("valueReference=\"0\"", "valueReference=\"" + reference + "\"", fmi),
                refused("says that the valueReference of 'heat' is '" + reference +
                        "'; expected a whole number from 0 to 4294967295"));
    EXPECT_EQ(of_description("valueReference=\"0\"", "", fmi),
              refused("says that the valueReference of 'heat' is missing; expected a whole number from 0 to "
                      "4294967295"));
    EXPECT_EQ(of_description("valueReference=\"0\"", "valueReference=\" 4294967295\"", fmi), "");
    EXPECT_EQ(of_description("\"speed\"", "\"heat\"", fmi),
              refused("has two variables 'heat'; expected a name of its own for each"));
  }
}

TEST_F(mistakes_in_fmus, an_archive_that_is_none_or_leads_out_of_its_folder_is_told) {
  write("wrong.fmu", "name = \"no archive\"\n");
  EXPECT_EQ(
      of_file("wrong.fmu"),
      at_line(8, 8, "file", "'wrong.fmu' cannot be opened as a zip file, which an FMU is: Not a zip archive", "wrong"));
  std::filesystem::create_directory(folder_ / "results");
  EXPECT_EQ(of_file("results"), at_line(8, 8, "file", "'results' is a directory; expected an FMU", "results"));
  EXPECT_EQ(of_file("room4.fmu"),
            at_line(8, 8, "file", "'room4.fmu' cannot be opened: No such file or directory; did you mean 'room2.fmu'?",
                    "room4"));
  for (const std::string name : {"../out", "/tmp/out", "a/../../out", "c:out", "a\\out"})
    EXPECT_EQ(
        of_archive([&](archive_files& files) { files[name] = "x"; }),
        at_line(8, 8, "file",
                fmt::format("'wrong.fmu' has a file '{}'; expected a relative path without '..', '\\' and ':'", name),
                "wrong"));
}

// Of the central directory the size of one file is replaced by 4 GB, as that of a bomb is.
TEST_F(mistakes_in_fmus, an_archive_that_grows_beyond_all_bounds_is_told) {
  archive_files files = described_fmu(3);
  write_zip(folder_ / "wrong.fmu", files);
  std::string bytes;
  {
    std::stringstream content;
    content << std::ifstream(folder_ / "wrong.fmu", std::ios::binary).rdbuf();
    bytes = content.str();
  }
  const std::size_t entry = bytes.find("PK\x01\x02");
  ASSERT_NE(entry, std::string::npos);
  bytes.replace(entry + 24, 4, "\xff\xff\xff\xf0");
  write("wrong.fmu", bytes);
  EXPECT_EQ(of_file("wrong.fmu"),
            at_line(8, 8, "file", "'wrong.fmu' has more than 2 GiB when it is unpacked; expected no more", "wrong"));
}

}  // namespace
}  // namespace muster
