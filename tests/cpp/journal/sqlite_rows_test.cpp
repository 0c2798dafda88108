#include <fstream>

#include "journal/entries.hpp"
#include "journal/operation_id.hpp"
#include "journal/sqlite.hpp"
#include "journal/sqlite_rows.hpp"

namespace turnout::journal {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class sqlite_rows_test : public testing::Test {
protected:
    std::unique_ptr<log> open(std::int64_t max_rows = 1000, base::wall_ms now = {1'700'000'000'000}) {
        return std::make_unique<log>(std::make_unique<sqlite_rows>(directory, now, max_rows),
                                     [this](std::string_view line) { said = line; });
    }
    /// Why it cannot be opened.
    std::string refusal() {
        try {
            open();
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    void write_file(std::string_view bytes) {
        fs::create_directory(directory);
        std::ofstream(file) << bytes;
    }
    std::string read_file() const {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    scratch_directory where;
    fs::path directory = where / "a" / "data";
    fs::path file = directory / "log.db";
    std::string said;
};

TEST_F(sqlite_rows_test, keeps_rows_over_a_restart) {
    RecordProperty("rules", "LOG-KEEP-002");
    append(*open(), "1");
    const auto l = open();
    append(*l, "2");
    EXPECT_THAT(ids(listed(*l)), ElementsAre("2", "1"));
}

TEST_F(sqlite_rows_test, keeps_fewer_once_it_is_told_so) {
    {
        const auto l = open();
        for (const auto* id : {"1", "2", "3", "4"}) append(*l, id);
    }
    const auto l = open(2);
    append(*l, "5");
    EXPECT_THAT(ids(listed(*l)), ElementsAre("5", "4"));
}

TEST_F(sqlite_rows_test, numbers_rows_by_the_time_of_the_first) {
    const auto l = open();
    append(*l, "1");
    append(*l, "2");
    const auto p = listed(*l);
    EXPECT_EQ(p->rows[1].number, first_number({1'700'000'000'000}));
    EXPECT_EQ(p->rows[0].number, p->rows[1].number + 1);
}

TEST_F(sqlite_rows_test, lets_only_its_owner_read) {
    RecordProperty("rules", "LOG-KEEP-003");
    const auto l = open();
    append(*l, "1");
    listed(*l);
    EXPECT_EQ(fs::status(directory).permissions(), fs::perms::owner_all);
    for (const auto* name : {"log.db", "log.db-wal", "log.db-shm"})
        EXPECT_EQ(fs::status(directory / name).permissions(), fs::perms::owner_read | fs::perms::owner_write) << name;
}

TEST_F(sqlite_rows_test, leaves_the_permissions_of_a_directory_that_was_there) {
    fs::create_directories(directory);
    fs::permissions(directory, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
    open();
    EXPECT_EQ(fs::status(directory).permissions(),
              fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
}

TEST_F(sqlite_rows_test, refuses_a_file_that_is_no_database) {
    RecordProperty("rules", "LOG-KEEP-004");
    fs::create_directories(directory);
    write_file(
        "this is not a database, and it is longer than the header of one would be, which is a hundred bytes long.");
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file.string()), HasSubstr("not a database")));
}

TEST_F(sqlite_rows_test, refuses_the_database_of_another_program) {
    RecordProperty("rules", "LOG-KEEP-004");
    fs::create_directories(directory);
    sqlite::database(file).run("CREATE TABLE other (x)");
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file.string()), HasSubstr("not an operation log")));
}

TEST_F(sqlite_rows_test, refuses_what_a_newer_version_wrote) {
    RecordProperty("rules", "LOG-KEEP-004");
    append(*open(), "1");
    EXPECT_EQ(sqlite::database(file).number("PRAGMA user_version"), 3);
    sqlite::database(file).run("PRAGMA user_version = 4");
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file.string()), HasSubstr("newer version")));
}

TEST_F(sqlite_rows_test, refuses_what_was_written_before_any_release) {
    append(*open(), "1");
    sqlite::database(file).run("PRAGMA user_version = 2");
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file.string()), HasSubstr("before its first release")));
}

TEST_F(sqlite_rows_test, changes_nothing_of_what_it_refuses) {
    RecordProperty("rules", "LOG-KEEP-004");
    fs::create_directories(directory);
    sqlite::database(file).run("CREATE TABLE other (x)");
    const auto mode = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
    fs::permissions(file, mode);
    const auto before = read_file();
    EXPECT_NE(refusal(), "");
    EXPECT_EQ(read_file(), before);
    EXPECT_EQ(fs::status(file).permissions(), mode);
}

TEST_F(sqlite_rows_test, refuses_a_log_that_lacks_a_table) {
    append(*open(), "1");
    sqlite::database(file).run("DROP TABLE numbers");
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file.string()), HasSubstr("table of requests or of numbers")));
}

TEST_F(sqlite_rows_test, refuses_a_directory_that_cannot_be_made) {
    std::ofstream(where / "a") << "a file";
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file.string()), HasSubstr("cannot be made")));
}

TEST_F(sqlite_rows_test, undoes_half_a_batch_and_writes_it_later) {
    sqlite_rows rows(directory, {1'700'000'000'000}, 1000);
    sqlite::database other(file);
    other.run("CREATE TRIGGER half BEFORE INSERT ON requests WHEN new.request_id = '2' "
              "BEGIN SELECT raise(ABORT, 'not now'); END");
    std::vector<entry_ptr> batch;
    for (const auto* id : {"1", "2"}) batch.emplace_back(std::make_unique<request_entry>())->request_id = id;
    EXPECT_THROW(rows.write(batch), std::runtime_error);
    EXPECT_EQ(rows.list({}, 10, 0).total, 0U);
    other.run("DROP TRIGGER half");
    rows.write(batch);
    const auto p = rows.list({}, 10, 0);
    EXPECT_THAT(ids(p), ElementsAre("2", "1"));
    EXPECT_EQ(p.rows[1].number, first_number({1'700'000'000'000}));
}

// Somebody takes the table away and puts it back: the rows of the meantime are there in the end, each once.
TEST_F(sqlite_rows_test, says_when_rows_are_written_again) {
    const auto l = open();
    append(*l, "1");
    listed(*l);
    sqlite::database other(file);
    other.run("ALTER TABLE numbers RENAME TO hidden");
    append(*l, "2");
    EXPECT_THAT(ids(listed(*l)), ElementsAre("1"));
    other.run("ALTER TABLE hidden RENAME TO numbers");
    EXPECT_THAT(ids(listed(*l)), ElementsAre("2", "1"));
    EXPECT_EQ(said, "operation log: written again");
}

TEST_F(sqlite_rows_test, shares_its_file_with_the_process_that_replaces_it) {
    const auto leaving = open();
    const auto coming = open();
    append(*leaving, "1");
    append(*coming, "2");
    listed(*coming);
    listed(*leaving);
    EXPECT_EQ(listed(*coming)->total, 2U);
    EXPECT_EQ(listed(*leaving)->total, 2U);
}

} // namespace
} // namespace turnout::journal
