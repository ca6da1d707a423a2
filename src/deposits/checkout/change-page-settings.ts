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
/** As `URL.origin` writes it, with nothing in it that the policy's header would read as more than one source. */
const httpsOrigin = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Rejects with permissionDenied whoever does not administer the account. */
export async function getPageSettings(db: Database, principal: Principal): Promise<PageSettings> {
  requirePageAdministrator(principal);
  return present(await readPageSettings(db, principal.accountId), "the caller's account");
}

/** Changes what is given, and writes down what differs. Rejects with permissionDenied and invalidValue. */
export async function changePageSettings(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  patch: PageSettingsPatch,
): Promise<PageSettings> {
  requirePageAdministrator(principal);
  const frameAncestors = readOrigins(patch.frameAncestors);
  const faults = [...emailFaults(patch.helpEmail), ...frameAncestors.faults];
  const [first, ...others] = faults;
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
  const told = (name: string, member: keyof PageSettings): AuditSummary =>
    JSON.stringify(before[member]) === JSON.stringify(after[member])
      ? {}
      : { [name]: after[member], [`${name}_before`]: before[member] };
  return {
    ...told("shop_name", "shopName"),
    ...told("help_email", "helpEmail"),
    ...told("frame_ancestors", "frameAncestors"),
  };
}

/** Rejects `permissionDenied` unless the caller is Owner or Admin. */
export const requirePageAdministrator = administratorsOnly(
  "Only Owners and Admins see and change these settings.",
);

function emailFaults(text: string | null | undefined): readonly Rejection[] {
  if (text === undefined || text === null || email.test(text)) return [];
  return [invalid("help_email", "This is no e-mail address.")];
}

/** `origins` null: unchanged. */
function readOrigins(value: JsonValue | undefined): {
  readonly origins: readonly string[] | null;
  readonly faults: readonly Rejection[];
} {
  if (value === undefined) return { origins: null, faults: [] };
  if (value === null) return { origins: [], faults: [] };
  const member = "frame_ancestors";
  if (!Array.isArray(value))
    return { origins: null, faults: [invalid(member, "This must be a list of origins.")] };
  const origins = value as readonly JsonValue[];
  if (origins.length > ancestorsMax)
    return {
      origins: null,
      faults: [invalid(member, `This has more than ${ancestorsMax} origins.`)],
    };
  const faults = origins.flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [
          invalid(
            `${member}/${index}`,
            "This must be an https origin without path, as https://shop.example.",
          ),
        ],
  );
  return { origins: faults.length > 0 ? null : [...new Set(origins as string[])], faults };
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
