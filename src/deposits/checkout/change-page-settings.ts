import { administratorsOnly } from "../../accounts/administrators-only.ts";
import type { AuditSummary } from "../../accounts/audit/audit-entry.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { Rejected, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { lockPageSettings, readPageSettings, savePageSettings } from "./page-settings.store.ts";
import type { PageSettings } from "./page-settings.ts";

/** Undefined: unchanged, null: cleared. */
export type PageSettingsPatch = {
  readonly shopName: string | null | undefined;
  readonly helpEmail: string | null | undefined;
  readonly frameAncestors: JsonValue | undefined;
};

const ancestorsMax = 20;
const originLengthMax = 255;
const email = /^[^\s@<>"'(),;:\\[\]]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
/** The format of `URL.origin`, without characters that would separate sources in the Content-Security-Policy header. */
const httpsOrigin = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Reads the account's payment page settings. Rejects with permissionDenied unless the caller is Owner or Admin. */
export async function getPageSettings(db: Database, principal: Principal): Promise<PageSettings> {
  assertPageAdministrator(principal);
  return present(await readPageSettings(db, principal.accountId), "the caller's account");
}

/** Changes the given settings and records the differences in the audit log. Rejects with permissionDenied and invalidValue. */
export async function changePageSettings(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  patch: PageSettingsPatch,
): Promise<PageSettings> {
  assertPageAdministrator(principal);
  const frameAncestors = readOrigins(patch.frameAncestors);
  const errors = [...emailErrors(patch.helpEmail), ...frameAncestors.errors];
  const [first, ...others] = errors;
  if (first !== undefined) throw new Rejected(first, ...others);
  return db.transaction(async (tx) => {
    const before = present(await lockPageSettings(tx, principal.accountId), "the caller's account");
    const settings: PageSettings = {
      shopName: patch.shopName === undefined ? before.shopName : patch.shopName,
      helpEmail: patch.helpEmail === undefined ? before.helpEmail : patch.helpEmail,
      frameAncestors: frameAncestors.origins ?? before.frameAncestors,
    };
    await savePageSettings(tx, principal.accountId, settings);
    const summary = differences(before, settings);
    if (Object.keys(summary).length > 0) {
      await recordAudit(tx, {
        by: principal,
        action: "payment_page.changed",
        at: clock.now(),
        object: { type: "payment-page-settings", id: principal.accountId },
        summary,
      });
    }
    return settings;
  });
}

function differences(before: PageSettings, after: PageSettings): AuditSummary {
  const changed = (name: string, member: keyof PageSettings): AuditSummary =>
    JSON.stringify(before[member]) === JSON.stringify(after[member])
      ? {}
      : { [name]: after[member], [`${name}_before`]: before[member] };
  return {
    ...changed("shop_name", "shopName"),
    ...changed("help_email", "helpEmail"),
    ...changed("frame_ancestors", "frameAncestors"),
  };
}

/** Rejects `permissionDenied` unless the caller is Owner or Admin. */
export const assertPageAdministrator = administratorsOnly(
  "Only Owners and Admins can view and change these settings.",
);

function emailErrors(text: string | null | undefined): readonly Rejection[] {
  if (text === undefined || text === null || email.test(text)) return [];
  return [invalid("help_email", "Enter a valid email address.")];
}

/** `origins` null: unchanged. */
function readOrigins(value: JsonValue | undefined): {
  readonly origins: readonly string[] | null;
  readonly errors: readonly Rejection[];
} {
  if (value === undefined) return { origins: null, errors: [] };
  if (value === null) return { origins: [], errors: [] };
  const member = "frame_ancestors";
  if (!Array.isArray(value))
    return { origins: null, errors: [invalid(member, "Provide a list of origins.")] };
  const origins = value as readonly JsonValue[];
  if (origins.length > ancestorsMax)
    return {
      origins: null,
      errors: [invalid(member, `Provide at most ${ancestorsMax} origins.`)],
    };
  const errors = origins.flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [
          invalid(
            `${member}/${index}`,
            "Provide an https origin without a path, for example https://shop.example.",
          ),
        ],
  );
  return { origins: errors.length > 0 ? null : [...new Set(origins as string[])], errors };
}

function isOrigin(value: JsonValue): boolean {
  return (
    typeof value === "string" &&
    value.length <= originLengthMax &&
    httpsOrigin.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}

function invalid(member: string, detail: string): Rejection {
  return rejection("invalidValue", detail, { pointer: `/data/attributes/${member}` });
}
