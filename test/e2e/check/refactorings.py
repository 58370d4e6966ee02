# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each entry: name, kind, file, edits. An edit is a pair of texts, of which the first one stands in the source exactly
once; or a triple whose first member is "word", for a name that is replaced wherever it stands as a word; or ("moved",)
for a file that lies in another folder under another name."""

from mutations import (ARENA, AVERAGE, BINS, CENTER, CONVOLUTION, COVARIANCE, COVARIANCES, EDGES, EVENTS, GAUSS, GROWING,
                       GST, HEAT, PADDED, PYRAMID, SMOOTHER, SORT, TRACES, WAVE, ZSCORE)

RENAMED, EXTRACTED, REORDERED = "renamed", "extracted function", "reordered"
MOVED, COMMENTS, ELSEWHERE, REWRITTEN = "moved file", "comments and layout", "instantiated elsewhere", "rewritten"

REFACTORINGS = [
    ("gst-renamed-helper", RENAMED, GST, [("word", "smoothedProduct", "blurredProduct")]),
    ("gst-renamed-symbols", RENAMED, GST, [("word", "ni", "inlines"), ("word", "nx", "crosslines"), ("word", "ns", "samplesPerTrace")]),
    ("gst-renamed-setting", RENAMED, GST, [("word", "sigma", "width")]),
    ("gst-renamed-variables", RENAMED, GST, [("word", "product", "smooth"), ("word", "kernel", "weights"), ("word", "result", "slope")]),
    ("gst-alias-renamed", RENAMED, GST, [("word", "Volume", "Samples")]),
    ("gst-moved", MOVED, GST, [("moved",)]),
    ("gst-comments", COMMENTS, GST, [
        ("/// Central differences", "/// One line more.\n///\n/// Central differences"), ("  Volume product(a.size());", "  // The product first.\n\n  Volume product(a.size()); // of the same size"),
    ]),
    ("gst-reordered-gradients", REORDERED, GST, [
        ("const Volume gi = gradient(cube, grid, 0), gx = gradient(cube, grid, 1), gs = gradient(cube, grid, 2);",
         "const Volume gs = gradient(cube, grid, 2);\n    const Volume gx = gradient(cube, grid, 1);\n    const Volume gi = gradient(cube, grid, 0);"),
    ]),
    ("gst-extracted-allocation", EXTRACTED, GST, [
        ("/// Central differences", "Volume empty(const Grid &grid) { return Volume(grid.samples()); }\n\n/// Central differences"),
        ("  Volume result(grid.samples());", "  Volume result = empty(grid);"),
    ]),
    ("gst-extracted-multiplication", EXTRACTED, GST, [
        ("Volume smoothedProduct(", "Volume multiplied(const Volume &a, const Volume &b) {\n  Volume product(a.size());\n  for (std::size_t n = 0; n < a.size(); ++n)\n    product[n] = a[n] * b[n];\n  return product;\n}\n\nVolume smoothedProduct("),
        ("  Volume product(a.size());\n  for (std::size_t n = 0; n < a.size(); ++n)\n    product[n] = a[n] * b[n];\n  for (int axis", "  Volume product = multiplied(a, b);\n  for (int axis"),
    ]),
    ("gst-loop-unrolled", REWRITTEN, GST, [
        ("  for (int axis = 0; axis < 3; ++axis)\n    product = convolve(product, grid, kernel, axis);", "  product = convolve(product, grid, kernel, 0);\n  product = convolve(product, grid, kernel, 1);\n  product = convolve(product, grid, kernel, 2);"),
    ]),
    ("gst-helper-as-template", ELSEWHERE, GST, [
        ("Volume smoothedProduct(const Volume &a,", "template <class Cube> Cube smoothedProduct(const Cube &a,"),
    ]),
    ("gst-helper-in-a-class", REWRITTEN, GST, [
        ("std::vector<float> gaussian(float sigma) {", "struct Weights {\n  static std::vector<float> gaussian(float sigma);\n};\n\nstd::vector<float> Weights::gaussian(float sigma) {"),
        ("kernel = gaussian(sigma);", "kernel = Weights::gaussian(sigma);"),
    ]),
    ("gst-explicit-move", REWRITTEN, GST, [
        ("    product = convolve(product, grid, kernel, axis);", "    product = std::move(convolve(product, grid, kernel, axis));"), ("#include <cmath>", "#include <cmath>\n#include <utility>"),
    ]),
    ("gauss-renamed-class", RENAMED, GAUSS, [("word", "Kernel", "Weights")]),
    ("gauss-renamed-symbols", RENAMED, GAUSS, [("word", "nz", "depth"), ("word", "ny", "height"), ("word", "nx", "breadth")]),
    ("gauss-moved", MOVED, GAUSS, [("moved",)]),
    ("gauss-instantiated-elsewhere", ELSEWHERE, GAUSS, [
        ("} // namespace\n\nMEMSHAPE", "struct Along {\n  std::size_t operator()(std::size_t line) const { return line; }\n};\n\n} // namespace\n\nMEMSHAPE"),
        ("[](std::size_t line) { return line; }", "Along()"),
    ]),
    ("gauss-new-instead-of-make-unique", REWRITTEN, GAUSS, [
        ("  const auto padded = std::make_unique<double[]>(std::size_t(length) + 2 * std::size_t(reach));", "  const std::unique_ptr<double[]> padded(new double[std::size_t(length) + 2 * std::size_t(reach)]());"),
    ]),
    ("gauss-comments", COMMENTS, GAUSS, [("namespace {\n", "// The kernel, and lines of a volume.\n\n\n\nnamespace {\n"), ("  const Kernel kernel(sigma);", "  const Kernel kernel(sigma); // half of it")]),
    ("wave-renamed", RENAMED, WAVE, [("word", "zeros", "silent_field"), ("word", "seismogram", "traces"), ("word", "model", "speeds")]),
    ("wave-reordered-profiles", REORDERED, WAVE, [
        ("float *damp_z = damping(rows), *damp_x = damping(columns);", "float *damp_x = damping(columns);\n  float *damp_z = damping(rows);"),
    ]),
    ("wave-reordered-frees", REORDERED, WAVE, [("  free(damp_x);\n  free(damp_z);\n  free(model);\n", "  free(model);\n  free(damp_z);\n  free(damp_x);\n")]),
    ("wave-extracted-section", EXTRACTED, WAVE, [
        ("MEMSHAPE_OPERATOR\n", "static float *new_section(int nt, int nx) {\n  return malloc((size_t)nt * (size_t)nx * sizeof(float));\n}\n\nMEMSHAPE_OPERATOR\n"),
        ("float *seismogram = malloc((size_t)nt * (size_t)nx * sizeof(float));", "float *seismogram = new_section(nt, nx);"),
    ]),
    ("wave-moved", MOVED, WAVE, [("moved",)]),
    ("wave-pointers-kept", REWRITTEN, WAVE, [("      float *older = now;\n      now = next;\n      next = older;\n", "      float *const newer = next;\n      next = now;\n      now = newer;\n")]),
    ("covariance-renamed", RENAMED, COVARIANCE, [("word", "centred", "balanced"), ("word", "covariance", "moments"), ("word", "damping", "regularisation")]),
    ("covariance-named-factor", REWRITTEN, COVARIANCE, [("  const Eigen::LLT<Matrix> factor(covariance);", "  const auto factor = covariance.llt();")]),
    ("arena-reordered", REORDERED, ARENA, [
        ("  Arena Nodes;\n  std::vector<Node *> Gathers(ng, nullptr);", "  std::vector<Node *> Gathers(ng, nullptr);\n  Arena Nodes;"),
    ]),
    ("arena-renamed", RENAMED, ARENA, [("word", "Nodes", "Pool"), ("word", "Gathers", "Heads"), ("word", "take", "cut")]),
    ("convolution-helper-renamed", RENAMED, CONVOLUTION, [("word", "edgeFilters", "directions"), ("word", "responses", "answers")]),
    ("zscore-scope", COMMENTS, ZSCORE, [("  for (std::size_t n = 0; n < rows * columns; ++n)", "\n\n  /* All samples. */\n  for (std::size_t n = 0; n < rows * columns; ++n)")]),
    ("edges-reordered-symbols-renamed", RENAMED, EDGES, [("word", "gradient", "slopes"), ("word", "nx", "width")]),
    ("heat-split-declaration", REWRITTEN, HEAT, [("  std::vector<float> Old(In, In + Volume), New(Old);", "  std::vector<float> Old(In, In + Volume);\n  std::vector<float> New(Old);")]),
    ("heat-index-loop", REWRITTEN, HEAT, [("  for (long At = 0; At < Volume; ++At)\n    Out[At] = Old[At];", "  const float *From = Old.data();\n  while (Volume-- > 0)\n    *Out++ = *From++;")]),
    ("growing-emplaced", REWRITTEN, GROWING, [("Grown.push_back(2 * In[I]);", "Grown.emplace_back(2 * In[I]);")]),
    ("growing-extracted", EXTRACTED, GROWING, [
        ("ACCURACY_OPERATOR", "static void append(std::vector<double> &To, double Value) { To.push_back(2 * Value); }\n\nACCURACY_OPERATOR"),
        ("    Grown.push_back(2 * In[I]);", "    append(Grown, In[I]);"),
    ]),
    ("sort-renamed", RENAMED, SORT, [("word", "sortRange", "order"), ("word", "Half", "Middle")]),
    ("events-renamed", RENAMED, EVENTS, [("word", "Room", "Capacity"), ("word", "Events", "Loud")]),
    ("bins-range-for", REWRITTEN, BINS, [("    for (float Value : Bins[B])\n      Out[B] += Value;", "    for (auto At = Bins[B].begin(); At != Bins[B].end(); ++At)\n      Out[B] += *At;")]),
    ("pyramid-emplaced", REWRITTEN, PYRAMID, [("Levels.push_back(std::move(Half));", "Levels.emplace_back(std::move(Half));")]),
    ("pyramid-renamed", RENAMED, PYRAMID, [("word", "Levels", "Scales"), ("word", "Half", "Next")]),
    ("average-reordered", REORDERED, AVERAGE, [
        ("  std::vector<double> Sums(static_cast<std::size_t>(samples) + 1);\n  std::vector<float> Copy(In, In + static_cast<long>(traces) * samples);",
         "  std::vector<float> Copy(In, In + static_cast<long>(traces) * samples);\n  std::vector<double> Sums(static_cast<std::size_t>(samples) + 1);"),
    ]),
    ("padded-extracted", EXTRACTED, PADDED, [
        ("ACCURACY_OPERATOR", "static float *silence(std::size_t Count) { return static_cast<float *>(std::calloc(Count, sizeof(float))); }\n\nACCURACY_OPERATOR"),
        ("static_cast<float *>(std::calloc(Wide * Tall, sizeof(float)));", "silence(Wide * Tall);"),
    ]),
    ("traces-renamed", RENAMED, TRACES, [("word", "Sorted", "Ordered"), ("word", "samples", "points")]),
    ("covariances-moved", MOVED, COVARIANCES, [("moved",)]),
    ("smoother-named-sum", REWRITTEN, SMOOTHER, [("= Both / (Low + High + 1);", "= Both / (1 + High + Low);")]),
    ("center-comments", COMMENTS, CENTER, [("  Data.each_row() -= Mean;", "  // Towards zero.\n  Data.each_row() -= Mean;")]),
]
