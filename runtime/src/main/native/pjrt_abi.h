// The part of the PJRT C ABI that Lockstep calls.
//
// Declared from tables of offsets and sizes (versions 0.69 to 0.115), which static assertions below
// repeat; names are ours where the ABI needs none. The ABI only ever appends: a table may be longer
// than what is declared here, and every argument struct is passed with the newest size known.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pjrt {

// Handles that only the plugin looks into.
struct Error;
struct Event;
struct Client;
struct Device;
struct DeviceDescription;
struct Memory;
struct Executable;
struct LoadedExecutable;
struct Buffer;
struct Topology;

// What every argument struct and every extension begins with.
struct Head {
  size_t struct_size;
  void* extension_start;
};

struct Extension {
  size_t struct_size;
  int32_t type;
  Extension* next;
};

// Places in the table of functions.
enum Slot : int {
  kErrorDestroy = 0,
  kErrorMessage = 1,
  kErrorGetCode = 2,
  kPluginInitialize = 3,
  kPluginAttributes = 4,
  kEventDestroy = 5,
  kEventAwait = 8,
  kClientCreate = 10,
  kClientDestroy = 11,
  kClientPlatformName = 12,
  kClientProcessIndex = 13,
  kClientPlatformVersion = 14,
  kClientDevices = 15,
  kClientAddressableDevices = 16,
  kClientCompile = 20,
  kClientDefaultDeviceAssignment = 21,
  kClientBufferFromHostBuffer = 22,
  kDeviceDescriptionId = 23,
  kDeviceDescriptionProcessIndex = 24,
  kDeviceDescriptionKind = 26,
  kDeviceDescriptionDebugString = 27,
  kDeviceDescriptionToString = 28,
  kDeviceGetDescription = 29,
  kDeviceIsAddressable = 30,
  kDeviceLocalHardwareId = 31,
  kExecutableDestroy = 40,
  kExecutableName = 41,
  kExecutableNumReplicas = 42,
  kExecutableNumPartitions = 43,
  kExecutableNumOutputs = 44,
  kExecutableSizeOfGeneratedCode = 45,
  kExecutableGetCostAnalysis = 46,
  kExecutableOptimizedProgram = 48,
  kLoadedExecutableDestroy = 50,
  kLoadedExecutableGetExecutable = 51,
  kLoadedExecutableAddressableDevices = 52,
  kLoadedExecutableExecute = 55,
  kBufferDestroy = 58,
  kBufferElementType = 59,
  kBufferDimensions = 60,
  kBufferDevice = 65,
  kBufferDelete = 67,
  kBufferIsDeleted = 68,
  kBufferToHostBuffer = 70,
  kBufferReadyEvent = 72,
  kTopologyCreate = 82,
  kTopologyDestroy = 83,
  kTopologyPlatformName = 84,
  kTopologyDeviceDescriptions = 86,
  kCompile = 89,
  kExecutableOutputElementTypes = 90,
  kExecutableOutputDimensions = 91,
  kExecutableGetCompiledMemoryStats = 96,
  kSlotsKnownSince069 = 113,
};

using Function = Error* (*)(void* args);

struct Api {
  size_t struct_size;
  Extension* extension_start;
  size_t version_struct_size;
  void* version_extension_start;
  int32_t major;
  int32_t minor;
  Function functions[1];
};
static_assert(offsetof(Api, version_struct_size) == 16);
static_assert(offsetof(Api, major) == 32);
static_assert(offsetof(Api, minor) == 36);
static_assert(offsetof(Api, functions) == 40);

// Most calls ask one object for a few values; their structs are of these shapes.
struct OnePointer {
  Head head;
  void* object;  // 16
};
static_assert(sizeof(OnePointer) == 24);

struct Text {
  Head head;
  void* object;      // 16
  const char* text;  // 24
  size_t size;       // 32
};
static_assert(sizeof(Text) == 40);

struct Number {
  Head head;
  void* object;  // 16
  int32_t value;  // 24
};
static_assert(offsetof(Number, value) == 24);

struct Flag {
  Head head;
  void* object;  // 16
  bool value;    // 24
};
static_assert(offsetof(Flag, value) == 24);

struct Size {
  Head head;
  void* object;  // 16
  size_t value;  // 24
};
static_assert(sizeof(Size) == 32);

struct Related {
  Head head;
  void* object;   // 16
  void* related;  // 24
};
static_assert(sizeof(Related) == 32);

struct PointerList {
  Head head;
  void* object;        // 16
  void* const* items;  // 24
  size_t count;        // 32
};
static_assert(sizeof(PointerList) == 40);

struct LongList {
  Head head;
  void* object;          // 16
  const int64_t* items;  // 24
  size_t count;          // 32
};
static_assert(sizeof(LongList) == 40);

struct IntList {
  Head head;
  void* object;          // 16
  const int32_t* items;  // 24
  size_t count;          // 32
};
static_assert(sizeof(IntList) == 40);

enum NamedValueType : int32_t {
  kString = 0,
  kInt64 = 1,
  kInt64List = 2,
  kFloat = 3,
  kBool = 4,
};

struct NamedValue {
  Head head;
  const char* name;  // 16
  size_t name_size;  // 24
  int32_t type;      // 32
  union {            // 40
    const char* string_value;
    int64_t int64_value;
    const int64_t* int64_array_value;
    float float_value;
    bool bool_value;
  };
  size_t value_size;  // 48
};
static_assert(offsetof(NamedValue, type) == 32);
static_assert(offsetof(NamedValue, string_value) == 40);
static_assert(offsetof(NamedValue, value_size) == 48);
static_assert(sizeof(NamedValue) == 56);

struct PluginAttributes {
  Head head;
  const NamedValue* attributes;  // 16
  size_t count;                  // 24
};
static_assert(sizeof(PluginAttributes) == 32);

struct CostAnalysis {
  Head head;
  Executable* executable;        // 16
  size_t count;                  // 24
  const NamedValue* properties;  // 32
};
static_assert(sizeof(CostAnalysis) == 40);

struct ClientCreate {
  Head head;
  const NamedValue* options;  // 16
  size_t option_count;        // 24
  void* get_callback;         // 32
  void* get_argument;         // 40
  void* put_callback;         // 48
  void* put_argument;         // 56
  Client* client;             // 64
  void* try_get_callback;     // 72
  void* try_get_argument;     // 80
};
static_assert(offsetof(ClientCreate, client) == 64);
static_assert(sizeof(ClientCreate) == 88);

// Arguments of the callbacks of the key-value store. Plugins leave their heads unset.
using ErrorMaker = Error* (*)(int32_t code, const char* message, size_t size);

struct KeyValueGet {
  Head head;
  const char* key;             // 16
  size_t key_size;             // 24
  int32_t timeout_ms;          // 32
  ErrorMaker* make_error;      // 40
  void* user_argument;         // 48
  char* value;                 // 56
  size_t value_size;           // 64
  void (*delete_value)(char*);  // 72
};
static_assert(offsetof(KeyValueGet, make_error) == 40);
static_assert(sizeof(KeyValueGet) == 80);

struct KeyValueTryGet {
  Head head;
  const char* key;             // 16
  size_t key_size;             // 24
  ErrorMaker* make_error;      // 32
  void* user_argument;         // 40
  char* value;                 // 48
  size_t value_size;           // 56
  void (*delete_value)(char*);  // 64
};
static_assert(sizeof(KeyValueTryGet) == 72);

struct KeyValuePut {
  Head head;
  const char* key;         // 16
  size_t key_size;         // 24
  const char* value;       // 32
  size_t value_size;       // 40
  ErrorMaker* make_error;  // 48
  void* user_argument;     // 56
};
static_assert(sizeof(KeyValuePut) == 64);

struct Program {
  Head head;
  char* code;          // 16
  size_t code_size;    // 24
  const char* format;  // 32
  size_t format_size;  // 40
};
static_assert(sizeof(Program) == 48);

struct ClientCompile {
  Head head;
  Client* client;          // 16
  const Program* program;  // 24
  const char* options;     // 32
  size_t options_size;     // 40
  LoadedExecutable* executable;  // 48
};
static_assert(sizeof(ClientCompile) == 56);

struct TopologyCreate {
  Head head;
  const char* name;           // 16
  size_t name_size;           // 24
  const NamedValue* options;  // 32
  size_t option_count;        // 40
  Topology* topology;         // 48
};
static_assert(sizeof(TopologyCreate) == 56);

struct TopologyCompile {
  Head head;
  const Topology* topology;  // 16
  const Program* program;    // 24
  const char* options;       // 32
  size_t options_size;       // 40
  Client* client;            // 48
  Executable* executable;    // 56
};
static_assert(sizeof(TopologyCompile) == 64);

struct OutputDimensions {
  Head head;
  Executable* executable;   // 16
  size_t count;             // 24
  const int64_t* dims;      // 32
  const size_t* dim_sizes;  // 40
};
static_assert(sizeof(OutputDimensions) == 48);

struct OptimizedProgram {
  Head head;
  Executable* executable;  // 16
  Program* program;        // 24
};
static_assert(sizeof(OptimizedProgram) == 32);

struct MemoryStats {
  Head head;
  Executable* executable;  // 16
  int64_t values[15];      // 24: code, arguments, outputs, aliases, temporaries, the same of hosts,
                           // peak (since 0.72), then totals of 2026
};
static_assert(sizeof(MemoryStats) == 144);

struct TiledLayout {
  Head head;
  const int64_t* minor_to_major;  // 16
  size_t minor_to_major_size;     // 24
  const int64_t* tile_dims;       // 32
  const size_t* tile_dim_sizes;   // 40
  size_t tile_count;              // 48
};
static_assert(sizeof(TiledLayout) == 56);

struct MemoryLayout {
  Head head;
  TiledLayout tiled;  // 16; a union with strides, which is smaller
  int32_t type;       // 72: 0 is tiled
};
static_assert(offsetof(MemoryLayout, type) == 72);

struct BufferFromHost {
  Head head;
  Client* client;             // 16
  const void* data;           // 24
  int32_t type;               // 32
  const int64_t* dims;        // 40
  size_t rank;                // 48
  const int64_t* strides;     // 56
  size_t stride_count;        // 64
  int32_t semantics;          // 72: 0 is "copied before the call ends"
  Device* device;             // 80
  Memory* memory;             // 88
  MemoryLayout* layout;       // 96
  Event* done;                // 104
  Buffer* buffer;             // 112
};
static_assert(offsetof(BufferFromHost, semantics) == 72);
static_assert(sizeof(BufferFromHost) == 120);

struct BufferToHost {
  Head head;
  Buffer* source;        // 16
  MemoryLayout* layout;  // 24
  void* destination;     // 32
  size_t size;           // 40
  Event* event;          // 48
};
static_assert(sizeof(BufferToHost) == 56);

struct ExecuteOptions {
  Head head;
  void* send_callbacks;                      // 16
  void* recv_callbacks;                      // 24
  size_t send_count;                         // 32
  size_t recv_count;                         // 40
  int32_t launch_id;                         // 48
  const int64_t* non_donatable;              // 56
  size_t non_donatable_count;                // 64
  void* context;                             // 72
  const char* call_location;                 // 80, since 0.76
  size_t task_count;                         // 88
  int32_t* task_ids;                         // 96
  int64_t* incarnation_ids;                  // 104
  void* multi_slice_config;                  // 112, since 0.97
  bool use_major_to_minor_for_callbacks;     // 120
  void* output_callbacks;                    // 128
  size_t output_callback_count;              // 136
};
static_assert(offsetof(ExecuteOptions, launch_id) == 48);
static_assert(offsetof(ExecuteOptions, call_location) == 80);
static_assert(sizeof(ExecuteOptions) == 144);

struct Execute {
  Head head;
  LoadedExecutable* executable;         // 16
  ExecuteOptions* options;              // 24
  Buffer* const* const* arguments;      // 32
  size_t device_count;                  // 40
  size_t argument_count;                // 48
  Buffer** const* outputs;              // 56
  Event** complete;                     // 64
  Device* device;                       // 72
};
static_assert(sizeof(Execute) == 80);

struct DefaultAssignment {
  Head head;
  Client* client;      // 16
  int32_t replicas;    // 24
  int32_t partitions;  // 28
  size_t size;         // 32
  int32_t* devices;    // 40
};
static_assert(sizeof(DefaultAssignment) == 48);

}  // namespace pjrt
