/** Tests that changes of payment page settings are recorded in the audit log with the previous values. */
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { changePageSettings, type PageSettingsPatch } from "./change-page-settings.ts";

const database = useDatabase();
const world = depositWorld(database);
let shop: Wallet;
beforeEach(async () => {
  shop = await arrangeWallet(world);
});

const change = (patch: Partial<PageSettingsPatch>) =>
  changePageSettings({ db: database.db, clock: world.clock }, ownerOf(shop.accountId), {
    shopName: undefined,
    helpEmail: undefined,
    frameAncestors: undefined,
    ...patch,
  });
const readAuditLog = () =>
  database.sql<{ action: string; object: string; member_id: string; summary: unknown }>(
    `select action, object_type || ' ' || object_id as object, member_id, summary from audit_entry
     where account_id = $1 and member_id is not null order by seq`,
    [shop.accountId],
  );

describe("changePageSettings", () => {
  it("records each changed setting with its previous value and the member", async () => {
    await change({ shopName: "Corner shop", frameAncestors: ["https://shop.example"] });
    await change({ shopName: null, helpEmail: "help@shop.example" });
    const entry = {
      action: "payment_page.changed",
      object: `payment-page-settings ${shop.accountId}`,
      member_id: ownerOf(shop.accountId).memberId,
    };
    expect(await readAuditLog()).toEqual([
      {
        ...entry,
        summary: {
          shop_name: "Corner shop",
          shop_name_before: null,
          frame_ancestors: ["https://shop.example"],
          frame_ancestors_before: [],
        },
      },
      {
        ...entry,
        summary: {
          shop_name: null,
          shop_name_before: "Corner shop",
          help_email: "help@shop.example",
          help_email_before: null,
        },
      },
    ]);
  });

  it("records nothing for unchanged settings and rejected changes", async () => {
    await change({ shopName: "Corner shop" });
    await change({ shopName: "Corner shop" });
    await change({});
    await expect(change({ shopName: "Other", helpEmail: "nobody" })).rejects.toThrow();
    await expect(
      changePageSettings(
        { db: database.db, clock: world.clock },
        { ...ownerOf(shop.accountId), role: "read_only" },
        { shopName: "Other", helpEmail: undefined, frameAncestors: undefined },
      ),
    ).rejects.toThrow();
    expect(await readAuditLog()).toHaveLength(1);
  });
});
