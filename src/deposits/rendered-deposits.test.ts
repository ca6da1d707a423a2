import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  ownerOf,
  testCurrencies,
} from "../../test/support/deposit-world.ts";
import type { Principal } from "../accounts/principal.ts";
import { assembledStatement } from "../platform/db/list-query.ts";
import type { ListQuery } from "../platform/kernel/list-query.ts";
import { createRenderedDeposits } from "./rendered-deposits.ts";

/* What is rendered before is used as long as the row is the same, and only for those who may view it. */

const database = useDatabase();
const world = depositWorld(database);
const page = { kind: "after", cursor: null, size: 10 } as const;
const reading = { currencies: testCurrencies, readAddresses: () => [] };
const newest: ListQuery = {
  filters: new Map(),
  sort: [{ field: "id", descending: true }],
  page,
};

async function arrange() {
  const wallet = await arrangeWallet(world);
  const older = await arrangeDeposit(world, wallet);
  const newer = await arrangeDeposit(world, wallet);
  const rendered: string[] = [];
  const { find, list } = createRenderedDeposits(
    { db: database.db, clock: world.clock },
    {
      render: ({ id, label }) => {
        rendered.push(id);
        return { id, label };
      },
      prepare: (deposit) => deposit,
    },
  );
  const readPage = async (principal: Principal) => (await list(principal, newest, reading)).items;
  return { wallet, older, newer, rendered, find, readPage };
}

async function setLabel(id: string, label: string): Promise<void> {
  const update = "update deposit set label = $2 where id = $1";
  await database.db.query(assembledStatement("test", update), [id, label]);
}

describe("rendered deposits", () => {
  it("are rendered once from the second request on, for one deposit and for lists", async () => {
    const { wallet, older, newer, rendered, find, readPage } = await arrange();
    const owner = ownerOf(wallet.accountId);
    await find(owner, older.id);
    await readPage(owner);
    expect(rendered.splice(0)).toEqual([older.id, newer.id, older.id]);
    const second = await find(owner, older.id);
    expect(await find(owner, older.id)).toBe(second);
    for (let time = 0; time < 2; time += 1) {
      const items = await readPage(owner);
      expect(items.map(({ id }) => id)).toEqual([newer.id, older.id]);
      expect(items[1]).toBe(second);
    }
    expect(rendered).toEqual([older.id, newer.id]);
  });

  it("are rendered again as soon as their row changes", async () => {
    const { wallet, older, newer, find, readPage } = await arrange();
    const owner = ownerOf(wallet.accountId);
    for (const label of ["one", "two", "three"]) {
      await setLabel(older.id, label);
      expect(await find(owner, older.id)).toEqual({ id: older.id, label });
    }
    for (const label of ["four", "five", "six"]) {
      await setLabel(older.id, label);
      expect((await readPage(owner)).map((item) => item.label)).toEqual([newer.label, label]);
    }
  });

  it("are rendered again after five minutes", async () => {
    const { wallet, older, rendered, find } = await arrange();
    const owner = ownerOf(wallet.accountId);
    for (let time = 0; time < 2; time += 1) await find(owner, older.id);
    world.clock.advance(299);
    await find(owner, older.id);
    expect(rendered).toHaveLength(2);
    world.clock.advance(1);
    await find(owner, older.id);
    expect(rendered).toHaveLength(3);
  });

  it("are shown to nobody else", async () => {
    const { wallet, older, find, readPage } = await arrange();
    const owner = ownerOf(wallet.accountId);
    for (let time = 0; time < 2; time += 1) {
      await find(owner, older.id);
      await readPage(owner);
    }
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect(await find(stranger, older.id)).toBeNull();
    expect(await readPage(stranger)).toEqual([]);
    const colleague = { ...owner, wallets: new Map() };
    await expect(find(colleague, older.id)).rejects.toMatchObject({
      rejections: [{ name: "noPermissionToView" }],
    });
    expect(await readPage(colleague)).toEqual([]);
  });

  it("are never found by malformed ids", async () => {
    const { wallet, find } = await arrange();
    for (const id of ["9".repeat(30), "0", "-1", "1.5", "x", ""])
      expect(await find(ownerOf(wallet.accountId), id)).toBeNull();
  });
});
