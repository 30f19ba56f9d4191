// Completions for PowerShell.
#include "help/completions/completions.hpp"

namespace attn::app {
namespace {

constexpr const char* kBegin =
    R"ps(# Completions of attn for PowerShell. Made by: attn completions powershell
# Load them with: attn completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName attn -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
)ps";

// Where nothing is offered, PowerShell completes to files.
constexpr const char* kEnd = R"ps(  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = $words | Where-Object { $values.ContainsKey($_) } | Select-Object -First 1
  $before = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $offered = if (-not $command) { @($values.Keys) + @('--help', '--version') }
    elseif ($values[$command].ContainsKey($before)) { $values[$command][$before] }
    elseif ($wordToComplete.StartsWith('-')) { $options[$command] }
    else { $values[$command][''] }
  $offered | Where-Object { $_ -and $_.StartsWith($wordToComplete) } | Sort-Object |
    ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
)ps";

/// @('a', 'b')
std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "'" : ", '") + word + "'";
  return "@(" + text + ")";
}

}  // namespace

std::string powershell_completions(const std::vector<Command>& commands) {
  std::string options, values;
  for (const Command& command : commands) {
    std::vector<std::string> names;
    values += "    '" + command.name + "' = @{\n      '' = " + list(offer_of(command).words) + "\n";
    for (const OptionRow& option : command.options) {
      for (const std::string& name : names_of(option)) {
        names.push_back(name);
        if (option.value.empty()) continue;
        values += "      '" + name + "' = " + list(offer_of(option).words) + "\n";
      }
    }
    values += "    }\n";
    options += "    '" + command.name + "' = " + list(names) + "\n";
  }
  return kBegin + ("  $options = @{\n" + options) + "  }\n  $values = @{\n" + values + "  }\n" +
         kEnd;
}

}  // namespace attn::app
