# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each entry: name, kind, file, edits of the baseline's source, edits that make the mutant of it, and a piece of the line
that is to be found guilty. An edit is a pair of texts; the first one stands in the source exactly once."""

GST, GAUSS, WAVE = "examples/gst3d.cpp", "examples/gaussian_smooth.cpp", "examples/wave2d.c"
COVARIANCE, ARENA = "examples/covariance_solve.cpp", "examples/arena_gather.cpp"
CONVOLUTION, ZSCORE, EDGES = "examples/tensor_convolution.cpp", "examples/xtensor_zscore.cpp", "examples/cimg_edges.cpp"
OPERATORS = "bench/accuracy/operators/"
HEAT, GROWING, SORT = OPERATORS + "heat_3d.cpp", OPERATORS + "growing_vector.cpp", OPERATORS + "merge_sort.cpp"
EVENTS, BINS, PYRAMID = OPERATORS + "event_list.cpp", OPERATORS + "linked_bins.cpp", OPERATORS + "image_pyramid.cpp"
AVERAGE, PADDED, TRACES = OPERATORS + "moving_average.cpp", OPERATORS + "zero_padded.cpp", OPERATORS + "trace_sort.cpp"
COVARIANCES, SMOOTHER, CENTER = (OPERATORS + "eigen_covariance.cpp", OPERATORS + "eigen_smoother.cpp",
                                 OPERATORS + "arma_center.cpp")

TEMPORARY, BY_VALUE, MOVE, RESERVE = "added temporary", "by value", "lost std::move", "missing reserve"
WIDER, LEAK, LIFE, DATA = "wider element", "leak", "lives longer", "data decide"
DOUBLED, ORDER, COPIES = "doubled workspace", "higher degree", "more allocations"

MUTATIONS = [
    ("temporary-in-helper", TEMPORARY, GST, [], [
        ("    product[n] = a[n] * b[n];\n", "    product[n] = a[n] * b[n];\n  const Volume before = product;\n  product[0] += before[a.size() / 2];\n"),
    ], "const Volume before"),
    ("temporary-in-operator", TEMPORARY, GST, [], [
        ("  for (std::size_t n = 0; n < grid.samples(); ++n)\n    out", "  const Volume first(tensor[0]);\n  out[0] = first[grid.samples() / 2];\n  for (std::size_t n = 0; n < grid.samples(); ++n)\n    out"),
    ], "const Volume first"),
    ("one-more-call", TEMPORARY, GST, [], [
        ("    tensor[5] = smoothedProduct(gs, gs, grid, kernel);\n", "    tensor[5] = smoothedProduct(gs, gs, grid, kernel);\n    out[0] = smoothedProduct(gi, gi, grid, kernel)[1];\n"),
    ], "out[0] = smoothedProduct"),
    ("volume-by-value", BY_VALUE, GST, [], [
        ("Volume convolve(const Volume &in,", "Volume convolve(Volume in,"),
    ], "product = convolve("),
    ("kernel-by-value", BY_VALUE, GST, [], [
        ("const Grid &grid, const std::vector<float> &kernel, int axis) {", "const Grid &grid, std::vector<float> kernel, int axis) {"),
    ], "product = convolve("),
    ("output-doubled", DOUBLED, GST, [], [
        ("  Volume result(grid.samples());", "  Volume result(2 * grid.samples());"),
    ], "Volume result(2"),
    ("gradients-kept", LIFE, GST, [
        ("  {\n    const Volume gi", "  Volume gi;\n  {\n    gi"), ("grid, 0), gx =", "grid, 0);\n    const Volume gx ="),
        ("    tensor[0] = smoothedProduct(gi, gi, grid, kernel);\n", "    tensor[0] = smoothedProduct(gi, gi, grid, kernel);\n    gi = Volume();\n"),
        ("    tensor[1] = smoothedProduct(gi, gx, grid, kernel);\n    tensor[2] = smoothedProduct(gi, gs, grid, kernel);\n", ""),
    ], [
        ("    gi = Volume();\n", ""),
    ], "gradient(cube, grid, 0)"),
    ("kernel-wider", WIDER, GAUSS, [], [
        ("  std::vector<double> weights;\n", "  std::vector<long double> weights;\n"), ("for (double &weight", "for (long double &weight"),
        ("    for (long double &weight : weights)\n      weight /= sum;", "    for (auto &weight : weights)\n      weight /= sum;"),
    ], "weights(std::size_t(radius) + 1)"),
    ("work-wider", WIDER, GAUSS, [], [
        ("  std::vector<float> work(volume, volume + samples);", "  std::vector<double> wide(volume, volume + samples);\n  std::vector<float> work(wide.begin(), wide.end());"),
    ], "std::vector<double> wide"),
    ("kernel-copied", BY_VALUE, GAUSS, [], [
        ("std::size_t stride, const Kernel &kernel, Start start", "std::size_t stride, const Kernel kernel, Start start"),
    ], "smoothLines(work.data(), samples / std::size_t(nx)"),
    ("line-buffer-per-line", COPIES, GAUSS, [], [
        ("  const auto padded = std::make_unique<double[]>(std::size_t(length) + 2 * std::size_t(reach));\n  for (std::size_t line = 0; line < lines; ++line) {\n",
         "  for (std::size_t line = 0; line < lines; ++line) {\n    const auto padded = std::make_unique<double[]>(std::size_t(length) + 2 * std::size_t(reach));\n"),
    ], "const auto padded"),
    ("work-of-higher-degree", ORDER, GAUSS, [], [
        ("std::make_unique<double[]>(std::size_t(length) + 2", "std::make_unique<double[]>(std::size_t(length) * std::size_t(length) + 2"),
    ], "const auto padded"),
    ("seismogram-doubled", DOUBLED, WAVE, [], [
        ("malloc((size_t)nt * (size_t)nx * sizeof(float));\n  const int good", "malloc(2 * (size_t)nt * (size_t)nx * sizeof(float));\n  const int good"),
    ], "float *seismogram"),
    ("seismogram-of-doubles", WIDER, WAVE, [], [
        ("  float *seismogram = malloc((size_t)nt * (size_t)nx * sizeof(float));", "  float *seismogram = malloc((size_t)nt * (size_t)nx * sizeof(double));"),
    ], "float *seismogram"),
    ("model-leaked", LEAK, WAVE, [], [("  free(model);\n", "")], "float *model = malloc"),
    ("trace-leaked-in-loop", LEAK, WAVE, [], [
        ("      float *older = now;\n", "      float *trace = malloc((size_t)nx * sizeof(float));\n      memcpy(trace, now, (size_t)nx * sizeof(float));\n      section[t] = trace[nx / 2];\n      float *older = now;\n"),
    ], "float *trace"),
    ("lost-free-in-loop", LEAK, WAVE, [
        ("      float *older = now;\n", "      float *trace = malloc((size_t)nx * sizeof(float));\n      memcpy(trace, now, (size_t)nx * sizeof(float));\n      section[t] = trace[nx / 2];\n      free(trace);\n      float *older = now;\n"),
    ], [("      free(trace);\n", "")], "float *trace"),
    ("third-wave-field", TEMPORARY, WAVE, [], [
        ("float *now = zeros(points), *next = zeros(points);", "float *now = zeros(points), *next = zeros(points);\n  float *previous = zeros(points);\n  if (previous)\n    memcpy(previous, velocity, (size_t)nx * sizeof(float));"),
        ("  free(next);\n", "  if (previous)\n    section[0] += previous[nt];\n  free(previous);\n  free(next);\n"),
    ], "*previous = zeros"),
    ("freed-after-the-next", LIFE, WAVE, [
        ("  const int rows = nz + 2 * Pad, columns = nx + 2 * Pad;\n  const size_t points", "  float *first = malloc((size_t)nz * (size_t)nx * sizeof(float));\n  if (first)\n    memcpy(first, velocity, (size_t)nz * (size_t)nx * sizeof(float));\n  section[0] = first ? first[nz] : 0;\n  free(first);\n  const int rows = nz + 2 * Pad, columns = nx + 2 * Pad;\n  const size_t points"),
    ], [("  free(first);\n", ""), ("  free(seismogram);\n", "  free(first);\n  free(seismogram);\n")], "float *first"),
    ("matrix-twice", TEMPORARY, COVARIANCE, [], [
        ("  covariance.diagonal()", "  const Matrix copy = covariance;\n  out[0] = copy(channels - 1, 0);\n  covariance.diagonal()"),
    ], "const Matrix copy"),
    ("solved-in-double", WIDER, COVARIANCE, [], [
        ("  const Eigen::LLT<Matrix> factor(covariance);", "  const Eigen::LLT<Eigen::MatrixXd> factor(covariance.cast<double>());"),
        ("= factor.solve(centred);", "= factor.solve(centred.cast<double>()).cast<float>();"),
    ], "Eigen::MatrixXd> factor"),
    ("inverse-instead", TEMPORARY, COVARIANCE, [], [
        ("= factor.solve(centred);", "= factor.solve(Matrix::Identity(channels, channels)) * centred;"),
    ], "Matrix::Identity"),
    ("sum-per-gather", COPIES, ARENA, [], [
        ("  std::vector<float> Sum(ns);\n  for (int G = 0; G < ng; ++G) {\n", "  for (int G = 0; G < ng; ++G) {\n    std::vector<float> Sum(ns);\n"),
    ], "std::vector<float> Sum"),
    ("larger-node", WIDER, ARENA, [], [
        ("  int Number;\n", "  int Number;\n  double Weights[8];\n"), ("First, T};", "First, T, {}};"),
    ], "std::malloc(BlockBytes)"),
    ("sum-of-doubles", WIDER, ARENA, [], [("  std::vector<float> Sum(ns);", "  std::vector<double> Sum(ns);")], "Sum(ns)"),
    ("filter-in-loop", TEMPORARY, CONVOLUTION, [], [
        ("    responses.chip(f, 2) = response.cwiseMax(0.0f);", "    const Eigen::Tensor<float, 2> positive = response.cwiseMax(0.0f);\n    responses.chip(f, 2) = positive;"),
    ], "response"),
    ("bank-by-value", BY_VALUE, CONVOLUTION, [
        ("} // namespace\n\nMEMSHAPE", "float first(const Eigen::Tensor<float, 3> &bank) { return bank(1, 2, 0); }\n\n} // namespace\n\nMEMSHAPE"),
        ("  const Eigen::array<Eigen::Index, 2> axes", "  out[0] = first(bank);\n  const Eigen::array<Eigen::Index, 2> axes"),
    ], [("float first(const Eigen::Tensor<float, 3> &bank)", "__attribute__((noinline)) float first(Eigen::Tensor<float, 3> bank)")], "out[0] = first(bank)"),
    ("scores-kept", TEMPORARY, ZSCORE, [], [
        ("  scores /= xt::view", "  const xt::xtensor<double, 2> raw = scores;\n  out[0] = float(raw(0, 0));\n  scores /= xt::view"),
    ], "const xt::xtensor<double, 2> raw"),
    ("squares-stored", TEMPORARY, ZSCORE, [], [
        ("xt::sqrt(xt::sum(scores * scores, {1})", "xt::sqrt(xt::sum(xt::eval(scores * scores), {1})"),
    ], "xt::eval"),
    ("blurred-twice", TEMPORARY, EDGES, [], [
        ("volume.get_blur(sigma);", "volume.get_blur(sigma).get_blur(sigma);"),
    ], "get_blur"),
    ("not-shared", TEMPORARY, EDGES, [], [("1, /*is_shared=*/true);", "1, /*is_shared=*/false);")], "volume(voxels"),
    ("fields-of-doubles", WIDER, HEAT, [], [
        ("  std::vector<float> Old(In, In + Volume), New(Old);", "  std::vector<double> Old(In, In + Volume), New(Old);"),
    ], "New(Old)"),
    ("new-field-each-step", COPIES, HEAT, [
        ("  std::vector<float> Old(In, In + Volume), New(Old);", "  std::vector<float> Old(In, In + Volume);\n  std::vector<float> New(Old);"),
    ], [
        ("  std::vector<float> New(Old);\n", ""), ("++Step) {\n", "++Step) {\n    std::vector<float> New(Old);\n"),
    ], "std::vector<float> New(Old)"),
    ("swap-by-copy", MOVE, HEAT, [], [
        ("    std::swap(Old, New);", "    const std::vector<float> Last(Old);\n    Old = New;\n    New = Last;"),
    ], "Last(Old)"),
    ("grown-without-reserve", RESERVE, GROWING, [
        ("  std::vector<double> Grown;\n", "  std::vector<double> Grown;\n  Grown.reserve(values);\n"),
    ], [("  Grown.reserve(values);\n", "")], "Grown.push_back"),
    ("traces-without-reserve", RESERVE, TRACES, [
        ("  std::vector<std::vector<float>> Sorted;\n", "  std::vector<std::vector<float>> Sorted;\n  Sorted.reserve(traces);\n"),
    ], [("  Sorted.reserve(traces);\n", "")], "Sorted.emplace_back"),
    ("level-copied", MOVE, PYRAMID, [], [("Levels.push_back(std::move(Half));", "Levels.push_back(Half);")], "Levels.push_back(Half)"),
    ("level-of-full-size", DOUBLED, PYRAMID, [], [
        ("Half(static_cast<long>(R / 2) * (C / 2));", "Half(static_cast<long>(R) * C);"),
    ], "Half(static_cast"),
    ("halves-of-pairs", WIDER, SORT, [], [
        ("  std::vector<double> Left(Values, Values + Half),", "  std::vector<long double> Left(Values, Values + Half),"),
        ("Right(Values + Half, Values + Count);", "Right(Values + Half, Values + Count); // as wide"),
    ], "Right(Values + Half"),
    ("whole-range-copied", ORDER, SORT, [], [
        ("  int Half = Count / 2;\n", "  int Half = Count / 2;\n  const std::vector<double> All(Values, Values + Count);\n  Values[0] = All[0];\n"),
    ], "All(Values"),
    ("second-list-of-events", DATA, AVERAGE, [], [
        ("  for (int T = 0; T < traces; ++T) {\n", "  std::vector<int> Loud;\n  for (int S = 0; S < samples; ++S)\n    if (In[S] > 40)\n      Loud.push_back(S);\n  Out[0] = static_cast<float>(Loud.size());\n  for (int T = 0; T < traces; ++T) {\n"),
    ], "Loud.push_back"),
    ("size-from-data", DATA, AVERAGE, [], [
        ("  for (int T = 0; T < traces; ++T) {\n", "  const auto Count = static_cast<std::size_t>(In[0]);\n  std::vector<float> Picks(Count, In[1]);\n  Out[0] = Count ? Picks[Count / 2] : 0;\n  for (int T = 0; T < traces; ++T) {\n"),
    ], "Picks(Count"),
    ("sums-for-every-trace", ORDER, AVERAGE, [], [
        ("Sums(static_cast<std::size_t>(samples) + 1);", "Sums(static_cast<std::size_t>(samples) * traces + 1);"),
    ], "Sums(static_cast"),
    ("padded-leaked", LEAK, PADDED, [], [("  std::free(Padded);\n", "")], "std::calloc"),
    ("padded-fourfold", DOUBLED, PADDED, [], [("Tall = 2 *", "Tall = 4 *")], "std::calloc"),
    ("longer-events", WIDER, EVENTS, [], [("static_cast<std::size_t>(Room) * sizeof(double)", "static_cast<std::size_t>(Room) * 2 * sizeof(double)")], "std::realloc"),
    ("doubly-listed", COPIES, BINS, [], [("    Bins[I % bins].push_back(In[I]);\n", "    Bins[I % bins].push_back(In[I]), Bins[0].push_back(In[I]);\n")], "Bins[0].push_back"),
    ("copied-bins", BY_VALUE, BINS, [], [
        ("  for (int B = 0; B < bins; ++B)\n    for (float Value : Bins[B])\n      Out[B] += Value;", "  for (int B = 0; B < bins; ++B) {\n    const auto Each = Bins[B];\n    for (float Value : Each)\n      Out[B] += Value;\n  }"),
    ], "Each = Bins[B]"),
    ("data-copied-by-eigen", TEMPORARY, COVARIANCES, [], [
        ("  Eigen::Map<const Eigen::MatrixXd> Data(In, rows, cols);", "  const Eigen::MatrixXd Data = Eigen::Map<const Eigen::MatrixXd>(In, rows, cols);"),
    ], "Eigen::MatrixXd Data"),
    ("expression-stored", TEMPORARY, SMOOTHER, [], [
        ("= Both / (Low + High + 1);", "= Both / (Low + High + 1).eval();"),
    ], "eval()"),
    # In the company of changes that cost nothing.
    ("renamed-and-grown", TEMPORARY, GST, [], [
        ("word", "product", "smooth"), ("word", "smoothedProduct", "blurred"),
        ("    smooth[n] = a[n] * b[n];\n", "    smooth[n] = a[n] * b[n];\n  const Volume before = smooth;\n  smooth[0] += before[a.size() / 2];\n"),
    ], "const Volume before"),
    ("extracted-and-leaked", LEAK, WAVE, [], [
        ("MEMSHAPE_OPERATOR\n", "static float *new_section(int nt, int nx) {\n  return malloc((size_t)nt * (size_t)nx * sizeof(float));\n}\n\nMEMSHAPE_OPERATOR\n"),
        ("float *seismogram = malloc((size_t)nt * (size_t)nx * sizeof(float));", "float *seismogram = new_section(nt, nx);"),
        ("  free(seismogram);\n", ""),
    ], "return malloc((size_t)nt"),
    ("reordered-and-wider", WIDER, AVERAGE, [], [
        ("  std::vector<double> Sums(static_cast<std::size_t>(samples) + 1);\n  std::vector<float> Copy(In, In + static_cast<long>(traces) * samples);",
         "  std::vector<double> Gathered(In, In + static_cast<long>(traces) * samples);\n  std::vector<double> Sums(static_cast<std::size_t>(samples) + 1);"),
        ("word", "Copy", "Gathered"),
    ], "Gathered(In, In"),
    ("split-and-copied", BY_VALUE, HEAT, [], [
        ("ACCURACY_OPERATOR", "static float sum(std::vector<float> Field) { return Field[0] + Field.back(); }\n\nACCURACY_OPERATOR"),
        ("  std::vector<float> Old(In, In + Volume), New(Old);", "  std::vector<float> Old(In, In + Volume);\n  std::vector<float> New(Old);"),
        ("    Out[At] = Old[At];", "    Out[At] = Old[At];\n  Out[0] += sum(Old);"),
    ], "Out[0] += sum(Old)"),
    ("matrix-copied", TEMPORARY, CENTER, [], [
        ("  Data.each_row() /= Width;", "  const arma::mat Before = Data;\n  Data.each_row() /= Width + Before(0, 0);"),
    ], "const arma::mat Before"),
]
