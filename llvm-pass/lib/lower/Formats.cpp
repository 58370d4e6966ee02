// Calls with a format that may need memory, or whose text follows from more than its arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Formats.h"
#include "libraries/Summaries.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace memshape {

namespace {

/// One call, and what its format says. Numbers of what is converted are known only where they are arguments of it.
class FormatOfCall {
public:
  FormatOfCall(const CallBase &Call, const FormatRule &Rule)
      : Call(Call), Rule(Rule), DL(Call.getModule()->getDataLayout()),
        Next(Call.getFunctionType()->isVarArg() ? Call.getFunctionType()->getNumParams() : unsigned(NoArguments)) {}

  /// Some text that is converted is wide: the first after a change of the locale loads a converter, which stays.
  bool IsWide = false;
  /// What is converted no argument tells: an address, or the text of errno.
  bool TellsData = false;

  bool isPlain() { return Rule.Argument < Call.arg_size() && isPlainText(*Call.getArgOperand(Rule.Argument)); }

private:
  static constexpr unsigned NoArguments = ~0u;
  const CallBase &Call;
  const FormatRule &Rule;
  const DataLayout &DL;
  unsigned Next; ///< argument that is converted next
  SmallPtrSet<const Value *, 8> Seen;

  bool isPlainText(const Value &Format);
  bool arePlain(StringRef Format);
  bool isPlainOutput(StringRef &Rest);
  bool isPlainInput(StringRef &Rest);
  bool readsShortText() const;

  /// The argument that is converted next; null where nobody knows it.
  const Value *take() {
    if (Next == NoArguments)
      return nullptr;
    return Next < Call.arg_size() ? Call.getArgOperand(Next++) : nullptr;
  }

  bool isAtMost(const Value *Number) const {
    return Number && Number->getType()->isIntegerTy() && computeKnownBits(Number, DL).getMaxValue().ule(Rule.Most);
  }
};

} // namespace

/// Every text that Format can be is plain: a constant, or one of several; of a parameter what all callers give.
bool FormatOfCall::isPlainText(const Value &Format) {
  if (!Seen.insert(&Format).second)
    return true;
  StringRef Text;
  if (getConstantStringInfo(&Format, Text)) {
    const unsigned First = Next;
    const bool Plain = arePlain(Text);
    Next = First;
    return Plain;
  }
  if (const auto *Choice = dyn_cast<SelectInst>(&Format))
    return isPlainText(*Choice->getTrueValue()) && isPlainText(*Choice->getFalseValue());
  if (const auto *Choice = dyn_cast<PHINode>(&Format))
    return all_of(Choice->incoming_values(), [&](const Use &U) { return isPlainText(*U.get()); });
  const auto *Parameter = dyn_cast<Argument>(&Format);
  const Function *Of = Parameter ? Parameter->getParent() : nullptr;
  if (!Of || !Of->hasLocalLinkage() || Of->use_empty())
    return false;
  return all_of(Of->uses(), [&](const Use &U) {
    const auto *Caller = dyn_cast<CallBase>(U.getUser());
    return Caller && Caller->isCallee(&U) && Parameter->getArgNo() < Caller->arg_size() &&
           isPlainText(*Caller->getArgOperand(Parameter->getArgNo()));
  });
}

bool FormatOfCall::arePlain(StringRef Format) {
  while (true) {
    Format = Format.drop_until([](char C) { return C == '%'; });
    if (!Format.consume_front("%"))
      return true;
    if (Format.consume_front("%"))
      continue;
    if (!(Rule.Scans ? isPlainInput(Format) : isPlainOutput(Format)))
      return false;
  }
}

static constexpr StringLiteral Reals = "eEfFgG";

/// `%ls`, `%lc`, `%S` and `%C`.
static bool isWide(StringRef Modifiers, char Kind) {
  return StringRef("CS").contains(Kind) || (StringRef("cs[").contains(Kind) && Modifiers.contains('l'));
}

/// Takes one conversion from Rest. `n$`, `'` and `I` are none of those.
bool FormatOfCall::isPlainOutput(StringRef &Rest) {
  Rest = Rest.ltrim("-+ #0");
  uint64_t Width = 0, Precision = 0;
  if (Rest.consume_front("*"))
    take();
  else
    Rest.consumeInteger(10, Width);
  bool IsShort = true;
  if (Rest.consume_front(".")) {
    if (Rest.consume_front("*"))
      IsShort = isAtMost(take());
    else if (!Rest.empty() && isDigit(Rest[0]))
      IsShort = !Rest.consumeInteger(10, Precision) && Precision <= Rule.Most;
  }
  const StringRef Modifiers = Rest.take_while([](char C) { return StringRef("hlqLjzt").contains(C); });
  Rest = Rest.drop_front(Modifiers.size());
  if (Rest.empty())
    return false;
  const char Kind = Rest[0];
  Rest = Rest.drop_front();
  const Value *Converted = Kind == 'm' ? nullptr : take();
  TellsData |= Kind == 'm' || (Kind == 'p' && !isa_and_nonnull<ConstantPointerNull>(Converted));
  IsWide |= isWide(Modifiers, Kind);
  return Reals.contains(Kind) ? IsShort : StringRef("diouxXcsCSpnaAm").contains(Kind);
}

/// The text that is read ends before a number gets longer than the library has room for.
bool FormatOfCall::readsShortText() const {
  if (Rule.Text < 0 || unsigned(Rule.Text) >= Call.arg_size())
    return false;
  const Value *Whole = getUnderlyingObject(Call.getArgOperand(unsigned(Rule.Text)));
  std::optional<TypeSize> Bytes;
  if (const auto *Variable = dyn_cast<AllocaInst>(Whole))
    Bytes = Variable->getAllocationSize(DL);
  else if (const auto *G = dyn_cast<GlobalVariable>(Whole); G && G->hasExactDefinition())
    Bytes = DL.getTypeAllocSize(G->getValueType());
  return Bytes && !Bytes->isScalable() && Bytes->getFixedValue() <= Rule.Most + 1;
}

/// Takes one conversion from Rest. `n$`, `'`, `I`, and `m`, which asks for memory, are none of those.
bool FormatOfCall::isPlainInput(StringRef &Rest) {
  Rest.consume_front("*");
  uint64_t Width = 0;
  const bool IsShort = !Rest.empty() && isDigit(Rest[0]) && !Rest.consumeInteger(10, Width) && Width <= Rule.Most;
  const StringRef Modifiers = Rest.take_while([](char C) { return StringRef("hlqLjzt").contains(C); });
  Rest = Rest.drop_front(Modifiers.size());
  if (Rest.empty())
    return false;
  const char Kind = Rest[0];
  IsWide |= isWide(Modifiers, Kind);
  Rest = Rest.drop_front();
  if (Kind == '[') { // the first character of the set may be the bracket that ends it elsewhere
    Rest.consume_front("^");
    Rest.consume_front("]");
    const size_t End = Rest.find(']');
    Rest = Rest.substr(End == StringRef::npos ? Rest.size() : End + 1);
    return End != StringRef::npos;
  }
  return StringRef("csCSn").contains(Kind) ||
         (StringRef("diouxXpaAeEfFgG").contains(Kind) && (IsShort || readsShortText()));
}

void separateFormats(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    const std::optional<FormatRule> Rule = F.isDeclaration() && !F.isIntrinsic() ? summaryOf(F).Format : std::nullopt;
    if (!Rule)
      continue;
    SmallVector<CallBase *, 8> Plain, Wide;
    for (Use &U : F.uses()) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      if (!Call || !Call->isCallee(&U))
        continue;
      FormatOfCall Format(*Call, *Rule);
      const bool IsPlain = Format.isPlain();
      if (Format.IsWide || IsPlain)
        (Format.IsWide ? Wide : Plain).push_back(Call);
      if (Format.TellsData)
        Call->addFnAttr(Attribute::get(M.getContext(), DataTold));
    }
    if (F.hasNUses(unsigned(Plain.size())))
      continue;
    auto variant = [&](const Twine &Name) {
      return M.getOrInsertFunction(Name.str(), F.getFunctionType()).getCallee();
    };
    F.replaceAllUsesWith(variant(AnyFormatPrefix + F.getName()));
    for (CallBase *Call : Plain)
      Call->setCalledOperand(&F);
    for (CallBase *Call : Wide)
      Call->setCalledOperand(variant(F.getName() + " of wide text")); // nothing is said about such a function
  }
}

} // namespace memshape
