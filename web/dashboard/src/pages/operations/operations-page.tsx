import { Stack } from "@mantine/core";
import { useMe } from "../../api/me.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { t } from "../../language/t.ts";
import { ChainsSection } from "./chains-section.tsx";
import { HeldTransfers } from "./held-transfers.tsx";
import { HotWallets } from "./hot-wallets.tsx";
import { KillSwitches } from "./kill-switches.tsx";
import "./operations.css";
import { PayoutLimits } from "./payout-limits.tsx";
import { Pipeline } from "./pipeline.tsx";
import { Positions } from "./positions.tsx";
import { Reconciliation } from "./reconciliation.tsx";
import { TravelRuleThresholds } from "./travel-rule-thresholds.tsx";
import { UnexplainedSpends } from "./unexplained-spends.tsx";

/** The deployment's state for its operators; kill switches and limits for every Owner and Admin. */
export function OperationsPage() {
  const isOperator = useMe()?.operates_deployment === true;
  return (
    <AdministratorsOnly title={t("Operations")}>
      <PageHeader
        title={t("Operations")}
        description={
          isOperator
            ? t("The state of this deployment: blockchains, hot wallets and payouts in progress.")
            : t("Kill switches and payout limits of your account.")
        }
      />
      <Stack gap="lg">
        {isOperator ? <UnexplainedSpends /> : null}
        {isOperator ? <ChainsSection /> : null}
        <KillSwitches isOperator={isOperator} />
        {isOperator ? (
          <>
            <HeldTransfers />
            <HotWallets />
            <Positions />
            <Pipeline />
            <Reconciliation />
          </>
        ) : null}
        <PayoutLimits />
        {isOperator ? <TravelRuleThresholds /> : null}
      </Stack>
    </AdministratorsOnly>
  );
}
