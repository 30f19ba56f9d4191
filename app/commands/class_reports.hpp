// The reports that students get back: attn exercise grade --reports.
#pragma once

#include <filesystem>
#include <vector>

#include "attn/io/sheet_file.hpp"
#include "attn/teach/gradebook.hpp"
#include "commands/check.hpp"
#include "files/files.hpp"
#include "files/key_folder.hpp"

namespace attn::app {

/// The reports of an earlier run in the folder for reports, which is not searched for sheets.
/// Throws Error if that is the folder of sheets, or holds anything but reports of this exercise.
std::vector<std::filesystem::path> earlier_reports(const Check& o, const KeyFolder& key,
                                                   const CsvTable& roster, const Streams& streams);

/// One report for each student of the roster, if a folder for them is named. The class is used
/// until they are written.
std::vector<Output> report_outputs(const Check& o, const ClassBook& book, const Streams& streams);

/// Says which of the earlier reports have not been replaced by these.
void note_earlier(const std::string& folder, std::vector<std::filesystem::path> earlier,
                  const std::vector<Output>& reports, const Streams& streams);

}  // namespace attn::app
