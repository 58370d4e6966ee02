// What the C++ library takes meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows as those of library_functions.c. A pattern of the summaries stands for the functions of it that programs call.

#include "library_functions.h"

#include <chrono>
#include <climits>
#include <debug/list>
#include <debug/unordered_set>
#include <debug/vector>
#include <exception>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <thread>
#include <unordered_set>

static volatile double Sum;

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  int Own = 1;
};
static Derived Object;
ROW(casts, "__dynamic_cast") {
  Base *volatile Some = &Object;
  Sum = Sum + (dynamic_cast<Derived *>(Some) ? call : 0);
}

static std::_Rb_tree_node_base Head, Nodes[64];
static std::__detail::_List_node_base Around, Beads[64];
ROW(trees, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base "
           "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base "
           "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_ "
           "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_") {
  Head._M_color = std::_S_red, Head._M_parent = nullptr, Head._M_left = Head._M_right = &Head;
  for (auto &Node : Nodes)
    std::_Rb_tree_insert_and_rebalance(Head._M_right == &Head, &Node, Head._M_right == &Head ? &Head : Head._M_right,
                                       Head);
  const std::_Rb_tree_node_base *First = Head._M_left;
  Sum = Sum + (std::_Rb_tree_increment(First) == std::_Rb_tree_increment(Head._M_left)) + call;
  Sum =
      Sum + (std::_Rb_tree_decrement(&Nodes[9]) == std::_Rb_tree_decrement((const std::_Rb_tree_node_base *)Nodes + 9));
  for (auto &Node : Nodes)
    std::_Rb_tree_rebalance_for_erase(&Node, Head);
}
ROW(lists, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_ _ZNSt8__detail15_List_node_base9_M_unhookEv "
           "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_") {
  Around._M_next = Around._M_prev = &Around;
  for (auto &Bead : Beads)
    Bead._M_hook(&Around);
  Around._M_transfer(&Beads[60], &Beads[call % 4 + 60]);
  for (auto &Bead : Beads)
    Bead._M_unhook();
}
ROW(hashes, "_ZSt11_Hash_bytesPKvmm _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm "
            "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm") {
  static char Bytes[1 << 16];
  std::__detail::_Prime_rehash_policy Policy(call % 2 ? 1 : 0.1f);
  Sum = Sum + double(std::_Hash_bytes(Bytes, call % 9 ? size_t(call) : sizeof Bytes, 7));
  Sum = Sum + double(Policy._M_next_bkt(size_t(call) << 40) + Policy._M_need_rehash(1, size_t(call) << 20, 1).second);
}
static __gnu_debug::vector<int> *Checked;
static __gnu_debug::unordered_set<int> *CheckedSet;
BEFORE(debug) {
  Checked = new __gnu_debug::vector<int>(9);
  CheckedSet = new __gnu_debug::unordered_set<int>{1, 2, 3};
}
ROW(debug, "_ZN11__gnu_debug19_Safe_iterator_base* _ZNK11__gnu_debug19_Safe_iterator_base* "
           "_ZN11__gnu_debug19_Safe_sequence_base* _ZNK11__gnu_debug19_Safe_sequence_base* "
           "_ZN11__gnu_debug25_Safe_local_iterator_base* _ZN11__gnu_debug30_Safe_unordered_container_base*") {
  auto From = Checked->begin(), Other = From + call % 9;
  auto In = CheckedSet->begin(0);
  Sum = Sum + (From == Other) + (In == CheckedSet->end(0)) + (CheckedSet->find(7) == CheckedSet->end());
  From = Other;
  Checked->pop_back(), Checked->push_back(1);
}
extern "C" void *unexpected() __asm__("_ZSt14get_unexpectedv"); // of C++ until 2017
extern "C" void *set_unexpected(void *) __asm__("_ZSt14set_unexpectedPFvvE");
ROW(handlers, "_ZSt15get_new_handlerv _ZSt13get_terminatev _ZSt14get_unexpectedv _ZNSt3pmr20get_default_resourceEv") {
  Sum = Sum + (unexpected() ? call : 0);
  Sum = Sum + (std::get_new_handler() ? call : 0) + (std::get_terminate() ? call : 0);
  Sum = Sum + (std::pmr::get_default_resource() ? call : 0);
}
ROW(set_handlers, "_ZSt15set_new_handlerPFvvE _ZSt13set_terminatePFvvE _ZSt14set_unexpectedPFvvE "
                  "_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE _ZNSt8ios_base6xallocEv") {
  set_unexpected(set_unexpected(nullptr));
  Sum = Sum + std::ios_base::xalloc();
  std::set_new_handler(std::set_new_handler(nullptr));
  std::set_terminate(std::set_terminate(nullptr));
  Sum = Sum + (std::pmr::set_default_resource(nullptr) ? call : 0);
}

ROW(exceptions, "_ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv") {
  static bool (*const Old)() noexcept = std::uncaught_exception; // the library has it, and C++20 no more
  Sum = Sum + std::uncaught_exceptions() + Old() + call;
}

ROW(clocks, "_ZNSt6chrono3_V212system_clock3nowEv _ZNSt6chrono3_V212steady_clock3nowEv "
            "_ZNSt6thread20hardware_concurrencyEv") {
  Sum = Sum + double(std::chrono::system_clock::now().time_since_epoch().count() % 7);
  Sum = Sum + double(std::chrono::steady_clock::now().time_since_epoch().count() % 7);
  Sum = Sum + std::thread::hardware_concurrency() + call;
}
ROW(written, "_ZNSo* _ZNKSo* _ZStls* _ZSt4endl* _ZSt5flush* _ZSt16__ostream_insert* _ZNSt9basic_ios* _ZNKSt9basic_ios* "
             "_ZNSt8ios_base* _ZNKSt5ctype*") {
  static char Long[1 << 16];
  std::fill(Long, Long + sizeof Long - 1, 'x');
  for (std::ostream *To : {&std::cout, &std::cerr, &std::clog}) {
    *To << call << ' ' << long(call) << ' ' << 1.5f * float(call) << ' ' << std::numeric_limits<double>::max() << ' '
        << std::numeric_limits<long double>::lowest() << ' ' << true << ' ' << (void *)To << ' ' << UINT64_MAX << '\n';
    *To << std::setprecision(call % 10 ? 17 : 1000) << std::fixed << std::setw(call % 10 ? 7 : 100000) << 1e300 << Long;
    *To << std::scientific << 0.1 << std::hexfloat << 0.1 << std::boolalpha << false << std::hex << std::showbase
        << call;
    *To << std::defaultfloat << std::dec << std::endl << std::flush;
    To->put('c').write(Long, 99).flush();
    Sum = Sum + double(To->tellp()) + To->good() + To->width() + double(To->rdbuf() != nullptr) + To->fill();
    To->clear(), To->seekp(0), To->clear();
  }
}
ROW(read, "_ZNSi* _ZNKSi* _ZSt2wsI*") {
  static char Long[1 << 16];
  int Whole;
  char Letter;
  std::cin >> Whole >> Letter;
  std::cin.clear();
  std::cin.get(), std::cin.get(Letter), std::cin.get(Long, 99), std::cin.clear(),
      std::cin.read(Long, call % 50 ? 9 : 60000);
  std::cin.getline(Long, 99), std::cin.clear(), std::cin.ignore(9), std::cin.peek(), std::cin.readsome(Long, 9);
  std::cin.sync(), Sum = Sum + double(std::cin.gcount()) + double(std::cin.tellg()), std::cin.clear();
  if (call % 9)
    return;
  std::cin.seekg(0), std::cin.clear();
}
ROW(allocators,
    "_ZNSaIcEC1E* _ZNSaIcEC2E* _ZNSaIcED1E* _ZNSaIcED2E* _ZNSaIwEC1E* _ZNSaIwEC2E* _ZNSaIwED1E* _ZNSaIwED2E*") {
  std::allocator<char> One, Other(One);
  std::allocator<wchar_t> Wide, Copy(Wide);
  Sum = Sum + (One == Other) + (Wide == Copy) + call;
}
static std::pmr::monotonic_buffer_resource Buffer;
static std::pmr::unsynchronized_pool_resource Pool;
static std::pmr::synchronized_pool_resource Shared;
ROW(resources, "_ZTVNSt3pmr25monotonic_buffer_resourceE+48 _ZTVNSt3pmr28unsynchronized_pool_resourceE+48 "
               "_ZTVNSt3pmr26synchronized_pool_resourceE+48") {
  const std::pmr::memory_resource *All[] = {&Buffer, &Pool, &Shared};
  for (const auto *One : All)
    Sum = Sum + One->is_equal(*All[call % 3]);
}
