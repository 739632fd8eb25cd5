// The key-value store through which the processes of a job that share devices find each other.
// Plugins call it from threads of their own; it answers from a table, and never calls Java. Java
// fills the table with what other processes have put, and takes from it what this one has.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "pjrt_abi.h"

namespace shim {

class KeyValues {
 public:
  // Makes `args` call this store. It must live as long as the plugin may call.
  void serve(pjrt::ClientCreate& args);

  // What another process has put; returns whether the key is new.
  bool fill(const std::string& key, const std::string& value);

  // Waits for what this process puts, until `timeout_ms` is over; returns whether something came.
  bool take(int64_t timeout_ms, std::pair<std::string, std::string>& out);

  // Ends all waiting; nothing is found or kept from now on.
  void close();

 private:
  enum class Found { kYes, kNo, kClosed };

  Found find(const std::string& key, int64_t timeout_ms, std::string& out);

  template <typename Args>
  static pjrt::Error* answer(Args* args, Found found, const std::string& value);

  static pjrt::Error* get(pjrt::KeyValueGet* args);
  static pjrt::Error* tryGet(pjrt::KeyValueTryGet* args);
  static pjrt::Error* put(pjrt::KeyValuePut* args);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::string> table_;
  std::deque<std::pair<std::string, std::string>> put_;
  bool closed_ = false;
};

}  // namespace shim
