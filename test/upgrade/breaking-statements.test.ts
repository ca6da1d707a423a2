import { describe, expect, it } from "vitest";
import { readMigrations } from "../../src/platform/db/migrate.ts";
import { createdTables, findBreakingStatements } from "./breaking-statements.ts";
import { lastMigration } from "./previous-release.ts";

describe("a migration", () => {
  it("lets the previous release and its requests go on", async () => {
    const added = (await readMigrations()).filter(({ name }) => name.slice(0, 4) > lastMigration);
    const newTables = added.flatMap(({ sql }) => createdTables(sql));
    const breaking = added.map(
      ({ name, sql }) => [name, findBreakingStatements(sql, newTables)] as const,
    );
    expect(breaking.filter(([, reasons]) => reasons.length > 0)).toEqual([]);
  });

  it.each([
    "alter table payout drop column memo;",
    "drop table payout;",
    "alter table payout rename column memo to note;",
    "alter table payout rename to payment;",
    "alter table payout alter column memo type varchar(20);",
    "alter table payout alter memo set data type text;",
    "alter table payout alter column memo set not null;",
    "alter table payout alter column memo drop default;",
    "alter table payout add column memo text not null;",
    "alter table payout add column memo text, add column kind text\n  not null check (kind in ('a', 'b'));",
    "alter table payout add constraint payout_memo check (memo <> '');",
    "alter table payout add unique (memo);",
    "alter table payout add constraint payout_wallet foreign key (wallet_id) references wallet;",
    "create index payout_memo on payout (memo);",
    "create unique index payout_memo on payout (memo);",
  ])("is reported: %s", (sql) => {
    expect(findBreakingStatements(sql)).toHaveLength(1);
  });

  it.each([
    "alter table payout add column memo text;",
    "alter table payout add column memo text not null default '';",
    "alter table payout add column share numeric(5, 2) not null default 0 check (share between 0 and 100);",
    "alter table payout add column id2 bigint not null generated always as identity;",
    "alter table payout add constraint payout_memo check (memo <> '') not valid;",
    "-- concurrently\ncreate index concurrently if not exists payout_memo on payout (memo);",
    "create table memo (id bigint not null, kind text not null);\ncreate index memo_kind on memo (kind);\nalter table memo add unique (kind);",
    "-- contract: not read since 0131.\nalter table payout drop column memo;",
    "-- It does not drop table payout;\nupdate payout set memo = null;",
  ])("is not reported: %s", (sql) => {
    expect(findBreakingStatements(sql)).toEqual([]);
  });
});
