// memshape advise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/commands/ChosenOperator.h"

#include <filesystem>
#include <memory>

namespace memshape {

namespace {

struct AdviseOptions : CallOptions {
  std::uint32_t Threads = 0; ///< 0 where not given
  v1::AdviseRequest Request;
  std::string Format = "text";
};

Result<std::string> adviceText(const AdviseOptions &Given) {
  MEMSHAPE_TRY(const v1::Operator Chosen, chosenOperator(Given));
  Progress Shown("advise");
  Shown.at(Chosen.name());
  MEMSHAPE_TRY(v1::Call Call, chosenCall(Chosen, Given));
  Call.threads = Given.Threads;
  v1::AdviseRequest Request = Given.Request;
  Request.call = std::move(Call);
  MEMSHAPE_TRY(const v1::AdviceList Found, resultOf(Chosen.advise(Request)));
  return Given.Format == "json"    ? Found.json()
         : Given.Format == "sarif" ? Found.sarif(std::filesystem::current_path().string())
                                   : Found.text();
}

} // namespace

Run describeAdvise(Options &On) {
  const auto Options = std::make_shared<AdviseOptions>();
  addOperator(On, *Options, "whose memory is to fall");
  addCall(On, *Options, "shape that advice is ranked at, as in ni=400,nx=400");
  v1::AdviseRequest::members(Options->Request, RequestOptions(On));
  On.threads(Options->Threads);
  On.format(Options->Format, "text, json or sarif", "text|json|sarif", "memshape.advice/1");
  On.work(Options->Trust);
  return
      [Options](const Context &) { return deliver(inSandbox(Options->Trust, [&] { return adviceText(*Options); })); };
}

} // namespace memshape
