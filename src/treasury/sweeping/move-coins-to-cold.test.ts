import { expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  coinId,
  createPayoutSite,
  receiverOf,
  sendContext,
  simulatedChainName,
} from "../../../test/support/payout-site.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { money } from "../../platform/kernel/money.ts";
import { moveExcessToCold } from "./move-excess-to-cold.ts";

const database = useDatabase();
const { db } = database;

it("moves a smaller amount when the coins do not fit into one transaction", async () => {
  const site = await createPayoutSite(database, { funding: "coins", confirmations: 1 });
  while (await readBlock(site, db));
  const { writer } = site.node;
  const coins = present(sendContext(site, { db, writer, signer: site.signer }).coins, "coins");
  const held = (await coins.spendable(db, 100)).reduce((sum, { units }) => sum + units, 0n);
  const asked: bigint[] = [];
  const small: ChainWriter = {
    ...writer,
    draft: (request, stop) => {
      const { units } = present(request.payments[0], "a payment").amount;
      asked.push(units);
      if (units > 50_000n)
        return Promise.resolve({ kind: "insufficient", currency: coinId, missing: 60_000n });
      if (units > 30_000n) return Promise.resolve({ kind: "impossible", reason: "121 coins" });
      return writer.draft(request, stop);
    },
  };
  const { clock, currencies, addressing } = site;
  const context = {
    db,
    clock,
    currencies,
    logger: silentLogger,
    chain: { chain: simulatedChainName, addressing, writer: small },
    coins,
    demand: () => Promise.resolve([money(held - 200_000n, coinId)]),
    isStopped: () => Promise.resolve(false),
    feeCeiling: null,
  };
  const address = present(addressing.parse(receiverOf(site, 1), null), "an address");
  const ceilings = [money(100_000n, coinId)];
  const { signal } = new AbortController();
  expect(await moveExcessToCold(context, { address, ceilings }, signal)).toBe(1);
  expect(asked).toEqual([100_000n, 35_000n, 17_500n]);
});
