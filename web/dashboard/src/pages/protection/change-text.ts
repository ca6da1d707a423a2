import type { ProtectionChange } from "../../../../../client/src/api-types.gen.ts";
import type { Tone } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";

/** How long a limit's sum reaches. */
export const spanNames: Readonly<Record<string, string>> = {
  transaction: t("Per payout"),
  hour: t("Per hour"),
  day: t("Per day"),
};

export const changeStatuses: Readonly<
  Record<ProtectionChange["attributes"]["status"], { readonly tone: Tone; readonly label: string }>
> = {
  waiting: { tone: "attention", label: t("Waiting") },
  applied: { tone: "good", label: t("Applied") },
  rejected: { tone: "bad", label: t("Rejected") },
  withdrawn: { tone: "neutral", label: t("Withdrawn") },
  expired: { tone: "neutral", label: t("Expired") },
  superseded: { tone: "neutral", label: t("Superseded") },
};

/** What a change is about, in a few words. */
export function changeTitle({
  kind,
  is_enforced: isEnforced,
}: Pick<ProtectionChange["attributes"], "kind" | "is_enforced">): string {
  switch (kind) {
    case "limit":
      return t("Set payout limit");
    case "limit_removal":
      return t("Remove payout limit");
    case "payee_addition":
      return t("Allow address");
    case "payee_removal":
      return t("Remove allowed address");
    case "travel_rule_threshold":
      return t("Set travel rule threshold");
    case "allowlist":
      return isEnforced === true ? t("Turn on the allowlist") : t("Turn off the allowlist");
  }
}
