import { Stack } from "@mantine/core";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { t } from "../../language/t.ts";
import { AllowlistSection } from "./allowlist-section.tsx";
import { ChangeHistory } from "./change-history.tsx";
import { LimitSection } from "./limit-section.tsx";
import { WaitingChanges } from "./waiting-changes.tsx";

/** What protects the account's payouts, and the changes of it that wait. */
export function ProtectionPage() {
  return (
    <AdministratorsOnly title={t("Payout protection")} ofAllWallets>
      <PageHeader
        title={t("Payout protection")}
        description={t(
          "Stricter rules take effect immediately. Looser ones need approval from a second Owner or Admin.",
        )}
      />
      <Stack gap="lg">
        <WaitingChanges />
        <LimitSection />
        <AllowlistSection />
        <ChangeHistory />
      </Stack>
    </AdministratorsOnly>
  );
}
