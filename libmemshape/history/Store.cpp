// The store of past runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Store.h"

#include "libmemshape/files/OutputFile.h"
#include "libmemshape/history/Statement.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <zlib.h>

namespace memshape {

namespace {

namespace fs = std::filesystem;

/// "mshp", in the header of the file.
constexpr std::int64_t ApplicationId = 0x6d736870;
/// How long writers wait for each other, milliseconds.
constexpr int BusyTimeout = 30000;
/// Share of the newest records among those that a prediction reads; the rest are the largest.
constexpr double NewestShare = 0.75;

/// Most functions of one name that are distinguished.
constexpr std::int64_t MostFunctions = 64;

/// Each brings a store to the next version of the schema; the version is their number.
constexpr const char *Migrations[] = {
    "CREATE TABLE operators(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, operator INTEGER NOT NULL REFERENCES operators(id), peak REAL NOT NULL,"
    "                  checksum INTEGER NOT NULL, document TEXT NOT NULL);",
    "CREATE INDEX runs_by_operator ON runs(operator, id); CREATE INDEX runs_by_peak ON runs(operator, peak);",
    // 0: the record was added before functions were distinguished.
    "ALTER TABLE runs ADD COLUMN function INTEGER NOT NULL DEFAULT 0; DROP INDEX runs_by_operator;"
    "DROP INDEX runs_by_peak; CREATE INDEX runs_by_operator ON runs(operator, function, id);"
    "CREATE INDEX runs_by_peak ON runs(operator, function, peak);",
};
constexpr std::int64_t Version = std::size(Migrations), VersionWithFunctions = 3;

std::int64_t checksumOf(std::string_view Operator, std::string_view Document) {
  uLong Sum = crc32(0, reinterpret_cast<const Bytef *>(Operator.data()), static_cast<uInt>(Operator.size()));
  return static_cast<std::int64_t>(
      crc32(Sum, reinterpret_cast<const Bytef *>(Document.data()), static_cast<uInt>(Document.size())));
}

/// A hash that identifies the function of a run; never 0.
std::int64_t functionOf(const RunEntry &Run) {
  std::string Text;
  for (const auto &[Name, Value] : Run.At.Shape)
    Text += Name + '\n';
  for (const auto &[Name, Value] : Run.Settings)
    Text += '\0' + Name + '=' + Value;
  return checksumOf("function", Text) + 1;
}

bool execute(sqlite3 *Database, const char *Text) {
  return sqlite3_exec(Database, Text, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// SQLite does not wait for the lock that it needs to change to a write-ahead log.
bool logAhead(sqlite3 *Database) {
  constexpr int Pause = 5; // milliseconds
  for (int Waited = 0; !execute(Database, "PRAGMA journal_mode=WAL"); Waited += sqlite3_sleep(Pause))
    if ((sqlite3_errcode(Database) & 0xff) != SQLITE_BUSY || Waited >= BusyTimeout)
      return false;
  return true;
}

std::optional<std::int64_t> pragma(sqlite3 *Database, const char *Text) {
  Statement Asked(Database, Text);
  return Asked.step() ? std::optional<std::int64_t>(Asked.integer(0)) : std::nullopt;
}

Failure damaged(const std::string &Path, const std::string &Left) {
  return Failure{Path + " is damaged" + Left + "; `sqlite3 " + Path + " .recover` may find more",
                 FailureCode::DamagedStore};
}
Failure damaged(const std::string &Path) {
  return damaged(Path, "; it was left as it is: `memshape history export --store " + Path +
                           "` writes the records that can be read");
}
Failure noDatabase(const std::string &Path) {
  return Failure{Path + " is no store of memshape; `memshape history import` reads files of JSON lines",
                 FailureCode::NotAStore};
}
Failure otherDatabase(const std::string &Path) {
  return Failure{Path + " is a database, but not a store of memshape; name another file with --store",
                 FailureCode::NotAStore};
}

/// An empty file, which SQLite takes for a new database: it holds command lines, so it is for this user alone. SQLite
/// gives the log beside it the same rights, and says why a file cannot be made.
void makePrivateStore(const std::string &Path) {
  makePrivateFolder(fs::path(Path).parent_path());
  const int Made = ::open(Path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (Made >= 0)
    ::close(Made);
}

/// A store that nobody writes to, for a user who may not make the files beside it that SQLite wants of a reader.
sqlite3 *openUntouched(const std::string &Path) {
  std::error_code Error;
  sqlite3 *Database = nullptr;
  if (fs::exists(Path + "-wal", Error) && fs::file_size(Path + "-wal", Error) != 0)
    return nullptr;
  std::string Address = "file:";
  for (const unsigned char C : fs::absolute(Path).string()) {
    constexpr char Digits[] = "0123456789ABCDEF";
    if (std::isalnum(C) || C == '/')
      Address += static_cast<char>(C);
    else
      (Address += '%') += {Digits[C >> 4], Digits[C & 15]};
  }
  if (sqlite3_open_v2((Address + "?immutable=1").c_str(), &Database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) ==
      SQLITE_OK)
    return Database;
  sqlite3_close(Database);
  return nullptr;
}

/// Rolls back unless it is committed.
class Transaction {
public:
  explicit Transaction(sqlite3 *Database) : Database(Database), Open(execute(Database, "BEGIN IMMEDIATE")) {}
  ~Transaction() {
    if (Open)
      execute(Database, "ROLLBACK");
  }
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  bool begun() const { return Open; }
  bool commit() {
    if (!execute(Database, "COMMIT"))
      return false;
    Open = false;
    return true;
  }

private:
  sqlite3 *Database;
  bool Open;
};

double nowForStoredRecords() { return 1e18; } // their clocks were checked when they were added

} // namespace

Result<std::string> defaultStorePath() {
  const char *Data = std::getenv("XDG_DATA_HOME"), *Home = std::getenv("HOME");
  if (Data && *Data == '/')
    return std::string(Data) + "/memshape/history.sqlite";
  if (Home && *Home == '/')
    return std::string(Home) + "/.local/share/memshape/history.sqlite";
  return Failure{"there is no home folder for the store: name a file with --store"};
}

Result<std::string> storePath(const std::string &Chosen) {
  return Chosen.empty() ? defaultStorePath() : Result<std::string>(Chosen);
}

Store::Store(Store &&Other) noexcept
    : Database(std::exchange(Other.Database, nullptr)), Path(std::move(Other.Path)), HasFunctions(Other.HasFunctions) {}
Store &Store::operator=(Store &&Other) noexcept {
  std::swap(Database, Other.Database);
  std::swap(Path, Other.Path);
  std::swap(HasFunctions, Other.HasFunctions);
  return *this;
}
Store::~Store() { sqlite3_close(Database); }

Failure Store::failure() const {
  switch (sqlite3_errcode(Database) & 0xff) {
  case SQLITE_CORRUPT:
  case SQLITE_ERROR: // its tables are not those of its version
    return damaged(Path);
  case SQLITE_NOTADB: return noDatabase(Path);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return Failure{Path + ": other processes have locked the store for " + std::to_string(BusyTimeout / 1000) +
                   " s; try again when they have ended"};
  case SQLITE_FULL: return Failure{Path + ": the disk is full; nothing was changed: free some space and try again"};
  case SQLITE_READONLY:
    return Failure{Path + " cannot be written; nothing was changed: check the permissions of the file and its folder"};
  case SQLITE_CANTOPEN:
  case SQLITE_PERM: return Failure{Path + " cannot be opened: check the permissions of the file and its folder"};
  default: return Failure{Path + ": " + sqlite3_errmsg(Database)};
  }
}

Result<Store> Store::open(const std::string &Path, Purpose For) {
  bool Make = For == Purpose::Write;
  std::error_code Error;
  if (fs::is_directory(Path, Error))
    return Failure{Path + " is a folder, not a store; name a file in it"};
  bool There = fs::exists(Path, Error);
  if (There && !fs::is_regular_file(Path, Error))
    return Failure{Path + " is no regular file, so it is no store; name another file", FailureCode::NotAStore};
  if (!There && !Make)
    return Failure{"there is no store at " + Path + "; `memshape run --record` and `memshape history import` make one"};
  if (!There)
    makePrivateStore(Path);
  sqlite3 *Database = nullptr;
  int Status = sqlite3_open_v2(Path.c_str(), &Database,
                               Make ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY, nullptr);
  Store Opened(Database, Path);
  if (Status != SQLITE_OK)
    return Opened.failure();
  sqlite3_busy_timeout(Database, BusyTimeout);
  if (!Make && !pragma(Database, "PRAGMA user_version") && (sqlite3_errcode(Database) & 0xff) != SQLITE_BUSY)
    if (sqlite3 *Untouched = openUntouched(Path)) {
      sqlite3_close(std::exchange(Opened.Database, Untouched));
      Database = Untouched;
    }
  sqlite3_extended_result_codes(Database, 0);
  // Reads the tables first: the process that creates the store writes tables and marks in one transaction.
  std::optional<std::int64_t> Tables = pragma(Database, "SELECT count(*) FROM sqlite_master"),
                              Application = pragma(Database, "PRAGMA application_id"),
                              Found = pragma(Database, "PRAGMA user_version");
  if (!Application || !Found || !Tables)
    return Opened.failure();
  // A file without tables is new, or another process is creating it.
  if (*Tables != 0 && *Application != ApplicationId)
    return otherDatabase(Path);
  if (*Tables != 0 && *Found < 1)
    return damaged(Path);
  // A view may never end, and a trigger do anything. What is built into SQLite is no table of ours either.
  if (pragma(Database,
             "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE '%virtual%'")
          .value_or(1) != 0)
    return otherDatabase(Path);
  if (*Tables == 0 && !Make)
    return Failure{Path + " is empty, not a store of memshape; `memshape history import` makes one"};
  if (*Found > Version)
    return Failure{Path + " was made by a newer memshape (schema " + std::to_string(*Found) + ", this one knows " +
                   std::to_string(Version) + ")"};
  Opened.HasFunctions = Make || *Found >= VersionWithFunctions;
  if (!Make)
    return Opened;
  if (!logAhead(Database) || !execute(Database, "PRAGMA synchronous=FULL"))
    return Opened.failure();
  if (*Found < Version) {
    Transaction Whole(Database);
    if (!Whole.begun())
      return Opened.failure();
    // Another process may have migrated it meanwhile.
    std::int64_t From = pragma(Database, "PRAGMA user_version").value_or(0);
    for (std::int64_t Step = From; Step < Version; ++Step)
      if (!execute(Database, Migrations[Step]))
        return Opened.failure();
    std::string Mark =
        "PRAGMA application_id=" + std::to_string(ApplicationId) + "; PRAGMA user_version=" + std::to_string(Version);
    if (!execute(Database, Mark.c_str()) || !Whole.commit())
      return Opened.failure();
  }
  return Opened;
}

Result<std::uint64_t> Store::add(const std::function<Result<std::optional<RunEntry>>()> &Next) {
  Transaction Whole(Database);
  if (!Whole.begun())
    return failure();
  Statement Find(Database, "SELECT id FROM operators WHERE name=?"),
      Name(Database, "INSERT INTO operators(name) VALUES(?)"),
      Insert(Database, "INSERT INTO runs(operator, peak, checksum, document, function) VALUES(?,?,?,?,?)");
  std::unordered_map<std::string, std::int64_t> Ids;
  std::uint64_t Count = 0;
  while (true) {
    MEMSHAPE_TRY(std::optional<RunEntry> Entry, Next());
    if (!Entry)
      break;
    const RunEntry &Run = *Entry;
    auto [Id, New] = Ids.try_emplace(Run.Operator, 0);
    if (New) {
      Find.again();
      Find.bind(1, std::string_view(Run.Operator));
      if (Find.step())
        Id->second = Find.integer(0);
      else {
        Name.again();
        Name.bind(1, std::string_view(Run.Operator));
        Name.step();
        if (!Find.well() || !Name.well())
          return failure();
        Id->second = sqlite3_last_insert_rowid(Database);
      }
    }
    Insert.again();
    Insert.bind(1, Id->second);
    Insert.bind(2, Run.Resident.value_or(Run.HeapPeak.value_or(0)));
    Insert.bind(3, checksumOf(Run.Operator, Run.Document));
    Insert.bind(4, std::string_view(Run.Document));
    Insert.bind(5, functionOf(Run));
    Insert.step();
    if (!Insert.well())
      return failure();
    ++Count;
  }
  if (!Whole.commit())
    return failure();
  return Count;
}

Result<std::uint64_t> Store::add(const std::vector<RunEntry> &Entries) {
  std::size_t Index = 0;
  return add([&]() -> Result<std::optional<RunEntry>> {
    return Index < Entries.size() ? std::optional<RunEntry>(Entries[Index++]) : std::nullopt;
  });
}

Result<std::vector<std::int64_t>> Store::functionIds(const std::string &Operator) const {
  std::vector<std::int64_t> Found;
  // Goes from one function to the next in the index, without reading the records in between.
  Statement Asked(Database, "WITH RECURSIVE o(id) AS (SELECT id FROM operators WHERE name=?1), f(x) AS ("
                            "SELECT (SELECT min(function) FROM runs WHERE operator=o.id) FROM o UNION ALL "
                            "SELECT (SELECT min(function) FROM runs WHERE operator=o.id AND function>f.x) FROM f, o "
                            "WHERE f.x IS NOT NULL LIMIT ?2) SELECT x FROM f WHERE x IS NOT NULL");
  Asked.bind(1, std::string_view(Operator));
  Asked.bind(2, MostFunctions);
  while (Asked.step())
    Found.push_back(Asked.integer(0));
  if (!Asked.well())
    return failure();
  return Found;
}

std::optional<Failure> Store::readSome(const std::string &Operator, std::optional<std::int64_t> Function,
                                       std::size_t Most, std::map<std::int64_t, RunEntry> &Into) const {
  auto Newest = static_cast<std::int64_t>(std::ceil(NewestShare * static_cast<double>(Most)));
  for (auto [Order, Limit] : {std::pair("id", Newest), std::pair("peak", static_cast<std::int64_t>(Most) - Newest)}) {
    std::string Text =
        "SELECT id, checksum, document FROM runs WHERE operator=(SELECT id FROM operators WHERE name=?1)";
    Text += std::string(Function ? " AND function=?2" : "") + " ORDER BY " + Order + " DESC LIMIT ?3";
    Statement Asked(Database, Text.c_str());
    Asked.bind(1, std::string_view(Operator));
    if (Function)
      Asked.bind(2, *Function);
    Asked.bind(3, Limit);
    while (Asked.step()) {
      if (Into.contains(Asked.integer(0)))
        continue;
      std::string_view Document = Asked.text(2);
      if (checksumOf(Operator, Document) != Asked.integer(1))
        return damaged(Path);
      Result<std::vector<RunEntry>> Parsed = parseRunLine(Document, nowForStoredRecords());
      if (!Parsed || Parsed->size() != 1)
        return damaged(Path);
      Into.emplace(Asked.integer(0), std::move(Parsed->front()));
    }
    if (!Asked.well())
      return failure();
  }
  return std::nullopt;
}

Result<std::vector<RunEntry>> Store::runsOf(const std::string &Operator, std::size_t Most, const RunEntry *Like) const {
  std::map<std::int64_t, RunEntry> Found;
  if (!HasFunctions) {
    MEMSHAPE_CHECK(readSome(Operator, std::nullopt, Most, Found));
  } else {
    // Records that were added before functions were distinguished may belong to this one, too.
    MEMSHAPE_TRY(std::vector<std::int64_t> Functions,
                 Like ? std::vector<std::int64_t>{functionOf(*Like), 0} : functionIds(Operator));
    std::size_t Each = Like ? Most : Most / std::max<std::size_t>(1, Functions.size());
    for (std::int64_t Function : Functions)
      MEMSHAPE_CHECK(readSome(Operator, Function, std::max<std::size_t>(Each, 1), Found));
  }
  std::vector<RunEntry> Ordered;
  for (auto &[Id, Entry] : Found)
    if (!Like || areAlike(Entry, *Like))
      Ordered.push_back(std::move(Entry));
  if (Ordered.size() > Most)
    Ordered.erase(Ordered.begin(), Ordered.end() - static_cast<std::ptrdiff_t>(Most));
  return Ordered;
}

Result<std::vector<RunEntry>> Store::functionsOf(const std::string &Operator) const {
  MEMSHAPE_TRY(std::vector<RunEntry> Runs, runsOf(Operator, MostFunctions));
  std::vector<RunEntry> Newest;
  for (auto Run = Runs.rbegin(); Run != Runs.rend(); ++Run)
    if (std::none_of(Newest.begin(), Newest.end(), [&](const RunEntry &Known) { return areAlike(Known, *Run); }))
      Newest.push_back(std::move(*Run));
  return Newest;
}

Result<std::vector<std::string>> Store::newestOperators(std::size_t Most) const {
  std::vector<std::string> Found;
  Statement Asked(Database, "SELECT name FROM operators ORDER BY id DESC LIMIT ?");
  Asked.bind(1, static_cast<std::int64_t>(Most));
  while (Asked.step())
    Found.emplace_back(Asked.text(0));
  if (!Asked.well())
    return failure();
  return Found;
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> Store::operators() const {
  std::vector<std::pair<std::string, std::uint64_t>> Found;
  Statement Asked(Database, "SELECT o.name, count(*) FROM operators o JOIN runs r ON r.operator=o.id GROUP BY o.id "
                            "ORDER BY o.name");
  while (Asked.step())
    Found.emplace_back(std::string(Asked.text(0)), static_cast<std::uint64_t>(Asked.integer(1)));
  if (!Asked.well())
    return failure();
  return Found;
}

Result<std::uint64_t> Store::forEach(const std::function<bool(std::string_view)> &Take) const {
  // A record whose operator is lost counts as damaged. Records are never deleted, and numbers count from 1.
  Statement Asked(Database, "SELECT r.checksum, r.document, o.name, r.id FROM runs r LEFT JOIN operators o ON "
                            "r.operator=o.id ORDER BY r.id");
  std::uint64_t Count = 0;
  std::int64_t Last = 0;
  bool Damaged = false;
  while (Asked.step()) {
    const bool Holds = checksumOf(Asked.text(2), Asked.text(1)) == Asked.integer(0);
    Damaged |= !Holds || Asked.integer(3) != std::exchange(Last, Asked.integer(3)) + 1;
    if (!Holds)
      continue;
    if (!Take(Asked.text(1)))
      return Failure{"cannot write the records"};
    ++Count;
  }
  if (!Asked.well())
    if (Failure Why = failure(); Why.Code != FailureCode::DamagedStore)
      return Why;
  if (Damaged || !Asked.well())
    return damaged(Path, ": " + std::to_string(Count) + " records could be read");
  return Count;
}

} // namespace memshape
