import {
  accountAdministratorsOnly,
  administratorsOnly,
} from "../../accounts/administrators-only.ts";
import type { AuditSummary } from "../../accounts/audit/audit-entry.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import {
  builtInFiatCurrency,
  readSettings,
  renderSettings,
  type SettingsContext,
} from "./read-store-settings.ts";
import { removeUnusedImage, saveStoreImage } from "./store-image.store.ts";
import { lockStoreSettings, readStoreSettings, saveStoreSettings } from "./store-settings.store.ts";
import type { StoreSettings } from "./store-settings.ts";

/** Undefined: unchanged, null: cleared. */
export type StoreSettingsPatch = {
  readonly [Name in Exclude<keyof StoreSettings, "frame_ancestors">]?:
    | StoreSettings[Name]
    | null
    | undefined;
} & { readonly frame_ancestors?: JsonValue | undefined };

export type StoreSettingsContext = SettingsContext & {
  readonly db: Database;
  readonly clock: Clock;
};

const assertMayViewSettings = administratorsOnly(
  "Only Owners and Admins can view and change these settings.",
);

/** Rejects `permissionDenied` unless the caller is an Owner or Admin who sees all wallets: the settings apply to the deposits of all. */
export const assertMayChangeSettings = accountAdministratorsOnly(
  "Only Owners and Admins can view and change these settings.",
);

/** The account's store settings. Rejects with permissionDenied unless the caller is Owner or Admin. */
export async function getStoreSettings(
  context: Pick<StoreSettingsContext, "db" | "currencies" | "baseUrl">,
  principal: Principal,
): Promise<StoreSettings> {
  assertMayViewSettings(principal);
  const stored = await readStoreSettings(context.db, principal.accountId);
  return renderSettings(present(stored, "the caller's account"), context);
}

/**
 * Changes the given settings and records the differences in the audit log. Deposits that exist keep their terms; their pages show the
 * new settings. Rejects with permissionDenied as `assertMayChangeSettings` does, and with
 * invalidValue.
 */
export async function changeStoreSettings(
  context: StoreSettingsContext,
  principal: Principal,
  patch: StoreSettingsPatch,
): Promise<StoreSettings> {
  assertMayChangeSettings(principal);
  const { accountId } = principal;
  return context.db.transaction(async (tx) => {
    const stored = present(await lockStoreSettings(tx, accountId), "the caller's account");
    const before = renderSettings(stored, context);
    const wanted = patched(before, patch);
    const reading = readSettings(wanted, context);
    const [first, ...others] = reading.faults;
    if (first !== undefined) throw new Rejected(first, ...others);
    const { settings, image } = reading;
    const former = stored.page.logoDigest;
    if (image === null && settings.page.logoDigest !== null && settings.page.logoDigest !== former)
      reject("invalidValue", "Provide the image itself as a data URL.", {
        pointer: "/data/attributes/logo",
      });
    const now = context.clock.now();
    if (image !== null) await saveStoreImage(tx, accountId, image, now);
    await saveStoreSettings(tx, accountId, settings);
    if (former !== null && former !== settings.page.logoDigest)
      await removeUnusedImage(tx, accountId, former);
    const after = renderSettings(settings, context);
    const summary = differences(before, after);
    if (Object.keys(summary).length > 0) {
      await recordAudit(tx, {
        by: principal,
        action: "store_settings.changed",
        at: now,
        object: { type: "store-settings", id: accountId },
        summary,
      });
    }
    return after;
  });
}

/** What a cleared setting becomes, where that is not null. */
const cleared: Partial<StoreSettings> = {
  shows_order_reference: true,
  shows_receipt: true,
  payout_batch_seconds: 0,
  fiat_currency: builtInFiatCurrency,
};

/** Rejects with invalidValue where `frame_ancestors` is not a list; the other members' types are checked already. */
function patched(before: StoreSettings, patch: StoreSettingsPatch): StoreSettings {
  const { frame_ancestors: origins, ...others } = patch;
  const given = Object.entries(others).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, value ?? cleared[name as keyof StoreSettings] ?? null] as const],
  );
  return {
    ...before,
    ...(Object.fromEntries(given) as Partial<StoreSettings>),
    ...(origins === undefined ? {} : { frame_ancestors: originsIn(origins) }),
  };
}

/** Anything but a text becomes an empty one, which is no origin. */
function originsIn(value: JsonValue): readonly string[] {
  if (value === null) return [];
  if (!Array.isArray(value))
    return reject("invalidValue", "Provide a list of origins.", {
      pointer: "/data/attributes/frame_ancestors",
    });
  return value.map((item: JsonValue) => (typeof item === "string" ? item : ""));
}

function differences(before: StoreSettings, after: StoreSettings): AuditSummary {
  const shown = (value: StoreSettings[keyof StoreSettings]) =>
    typeof value === "number" ? String(value) : value;
  const names = Object.keys(after) as (keyof StoreSettings)[];
  return Object.fromEntries(
    names.flatMap((name) =>
      JSON.stringify(before[name]) === JSON.stringify(after[name])
        ? []
        : [
            [name, shown(after[name])],
            [`${name}_before`, shown(before[name])],
          ],
    ),
  );
}
