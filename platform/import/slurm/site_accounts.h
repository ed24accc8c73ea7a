#pragma once

#include <string>

#include "platform/import/slurm/unused_values.h"

namespace muster {

/// Lists what `sacctmgr dump` writes, or commands such as `add user`, tell of accounts, users and QOS: no scenario has
/// their shares, limits and priorities yet. Equal keys of a file are counted together.
/// @throws std::runtime_error that says why the file cannot be read, but not its name
void list_accounts(const std::string& path, unused_values& unused);

}  // namespace muster
