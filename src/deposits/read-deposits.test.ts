import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  ownerOf,
} from "../../test/support/deposit-world.ts";
import { createReadDeposit } from "./read-deposits.ts";

const database = useDatabase();
const world = depositWorld(database);

describe("createReadDeposit", () => {
  it("returns null for malformed ids", async () => {
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    const read = createReadDeposit(database.db);
    const owner = ownerOf(wallet.accountId);
    expect((await read(owner, deposit.id))?.id).toBe(deposit.id);
    for (const id of ["9".repeat(30), "0", "-1", "1.5", "x", ""])
      expect(await read(owner, id)).toBeNull();
  });
});
