import { expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
} from "../../../test/support/deposit-world.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { depositStatus } from "../deposit-status.ts";
import { insertLink, lockLink, readLinkByPage, readLinkRow } from "./payment-link.store.ts";

/* What is counted of a link's deposits: all of them for administrators, no more than the stock for visitors. */

const database = useDatabase();
const world = depositWorld(database);
const { db } = database;

it.each([
  { stock: 2, offered: 2 },
  { stock: 5, offered: 4 },
  { stock: null, offered: 0 },
])("counts $offered of 4 deposits for visitors with the stock $stock", async (given) => {
  const wallet = await arrangeWallet(world, { type: 1, currency: eth });
  const { accountId, walletId } = wallet;
  const pageId = systemRandom.uuid();
  const now = world.clock.now();
  const id = await insertLink(db, {
    accountId,
    walletId,
    pageId,
    name: "Blue teapot",
    description: null,
    imageDigest: null,
    amountType: "open",
    amount: null,
    amountMin: null,
    amountMax: null,
    stock: given.stock,
    endsAt: null,
    isActive: true,
    timeLimit: null,
    callbackUrl: null,
    redirectUrl: null,
    createdByCredentialId: "1",
    createdAt: now,
    updatedAt: now,
  });
  const { canceled, paid } = depositStatus;
  for (const status of [canceled, null, null, paid, paid]) {
    const deposit = await arrangeDeposit(world, wallet);
    await database.sql(
      "update deposit set payment_link_id = $1, status = coalesce($2, status) where id = $3",
      [id, status, deposit.id],
    );
  }
  expect(await readLinkByPage(db, pageId)).toMatchObject({ taken: given.offered });
  const locked = await db.transaction((tx) => lockLink(tx, accountId, id));
  expect(locked).toMatchObject({ taken: given.offered });
  expect(await readLinkRow(db, accountId, id)).toMatchObject({ taken: 4, paid: 2 });
});
