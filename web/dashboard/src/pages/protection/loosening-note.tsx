import { Text } from "@mantine/core";
import { plural, t } from "../../language/t.ts";
import { useProtection } from "./use-protection.ts";

/** What happens to a change that makes payouts less restricted. */
export function LooseningNote() {
  const { data } = useProtection();
  if (data === undefined) return null;
  const { needs_approval: needsApproval, wait_seconds: seconds } = data.attributes;
  return (
    <Text size="sm" c="dimmed">
      {needsApproval
        ? t(
            "If this makes payouts less restricted, another Owner or Admin must approve it within seven days.",
          )
        : t(
            "If this makes payouts less restricted, it takes effect after {period}, because nobody else can approve it. All Owners and Admins get an email.",
            { period: periodOf(seconds) },
          )}
    </Text>
  );
}

/** `24 hours`, `5 minutes` */
function periodOf(seconds: number): string {
  const hours = Math.ceil(seconds / 3_600);
  if (seconds >= 7_200) return plural(hours, "{count} hour", "{count} hours");
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return plural(minutes, "{count} minute", "{count} minutes");
}
