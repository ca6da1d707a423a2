import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  usd,
} from "../../../test/support/deposit-world.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { depositStatus } from "../deposit-status.ts";
import { acceptDeposit, cancelDeposit } from "./change-deposit.ts";

/* A user's action applies to what is recorded, even if the clocks of api and worker differ. */

const database = useDatabase();

async function paidDeposit(amount: string) {
  const world = depositWorld(database);
  const chain = await announceChain(world, "ETH");
  const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
  const deposit = await arrangeDeposit(world, wallet, {
    currency: eth,
    requested: "3000",
    rate: rateOf("3000"),
    confirmationsNeeded: 0,
  });
  await chain.see([payment({ deposit, amount })]);
  return { world, wallet, deposit, owner: ownerOf(wallet.accountId) };
}

describe("changes by users", () => {
  it("accepts an overpayment when the API's clock is behind the worker's", async () => {
    const { world, wallet, deposit, owner } = await paidDeposit("2");
    world.clock.advance(-30);
    const accepted = await acceptDeposit(world.context, owner, deposit.id);
    expect(accepted?.status).toBe(depositStatus.paid);
    expect((await readBalance(world, wallet)).pending).toBe(600_000n);
  });

  it("puts a payment on hold when its deposit is canceled, even if the API's clock is behind", async () => {
    const { world, deposit, owner } = await paidDeposit("0.5");
    world.clock.advance(-30);
    const canceled = await cancelDeposit(world.context, owner, deposit.id);
    expect(canceled?.status).toBe(depositStatus.unresolved);
  });
});
