// A plugin that has a table and does nothing: of another major version (-DMAJOR=1), with a short
// table (-DFUNCTIONS=20), or without functions.
#include "../../main/native/pjrt_abi.h"

#ifndef MAJOR
#define MAJOR 0
#endif
#ifndef FUNCTIONS
#define FUNCTIONS 113
#endif

namespace {

struct Table {
  size_t struct_size;
  pjrt::Extension* extension_start;
  size_t version_struct_size;
  void* version_extension_start;
  int32_t major;
  int32_t minor;
  pjrt::Function functions[FUNCTIONS];
};

pjrt::Error* nothing(void*) { return nullptr; }

Table table = {};

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() {
  table.struct_size = sizeof(Table);
  table.version_struct_size = 24;
  table.major = MAJOR;
  table.minor = 90;
  if (FUNCTIONS > pjrt::kPluginInitialize) {
    table.functions[pjrt::kPluginInitialize] = nothing;
  }
  return &table;
}
