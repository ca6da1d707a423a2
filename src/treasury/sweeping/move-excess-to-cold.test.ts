import { expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  coinId,
  createPayoutSite,
  receiverOf,
  simulatedChainName,
} from "../../../test/support/payout-site.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { money } from "../../platform/kernel/money.ts";
import { moveExcessToCold } from "./move-excess-to-cold.ts";

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

it("excludes nodes that are behind before it reads the hot account", async () => {
  const site = await createPayoutSite(database, { funding: "account", confirmations: 1 });
  while (await readBlock(site, db));
  const { writer } = site.node;
  const account = present(writer.account, "an account");
  const asked: (string | number)[] = [];
  const noting: typeof account = {
    ...account,
    excludeBehind: (height) => asked.push(height),
    nextSequence: (...question) => {
      asked.push("number");
      return present(account.nextSequence, "numbers")(...question);
    },
    funds: (...question) => {
      asked.push("funds");
      return account.funds(...question);
    },
  };
  const { clock, currencies, addressing } = site;
  const context = {
    db,
    clock,
    currencies,
    logger: silentLogger,
    chain: { chain: simulatedChainName, addressing, writer: { ...writer, account: noting } },
    coins: null,
    demand: () => Promise.resolve([]),
    isStopped: () => Promise.resolve(false),
    feeCeiling: null,
  };
  const address = present(addressing.parse(receiverOf(site, 1), null), "an address");
  const ceilings = [money(100_000n, coinId)];
  expect(await moveExcessToCold(context, { address, ceilings }, signal)).toBe(1);
  const [cursor] = await sql<{ height: number }>("select height::int from chain_cursor");
  expect(asked.slice(0, 3)).toEqual([cursor?.height, "number", "funds"]);
});
