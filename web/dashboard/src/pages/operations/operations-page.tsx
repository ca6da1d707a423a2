import { Alert, Stack } from "@mantine/core";
import { useMe } from "../../api/me.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useRole } from "../../components/use-role.ts";
import { ChainsSection } from "./chains-section.tsx";
import { HeldTransfers } from "./held-transfers.tsx";
import { HotWallets } from "./hot-wallets.tsx";
import { KillSwitches } from "./kill-switches.tsx";
import "./operations.css";
import { PayoutLimits } from "./payout-limits.tsx";
import { Pipeline } from "./pipeline.tsx";
import { Positions } from "./positions.tsx";
import { Reconciliation } from "./reconciliation.tsx";
import { UnexplainedSpends } from "./unexplained-spends.tsx";

/** How the deployment stands, for those who run it; and what stops payouts, for every Owner and Admin. */
export function OperationsPage() {
  const me = useMe();
  const { mayAdminister } = useRole();
  if (me === null) return <PageHeader title="Operations" />;
  if (!mayAdminister)
    return (
      <>
        <PageHeader title="Operations" />
        <Alert color="gray" title="Not for your role">
          Owners and Admins see this page.
        </Alert>
      </>
    );
  return (
    <>
      <PageHeader
        title="Operations"
        description={
          me.operates_deployment
            ? "How this deployment stands: its chains, its own money, and payouts on their way."
            : "What stops payouts of your account."
        }
      />
      <Stack gap="lg">
        {me.operates_deployment ? <UnexplainedSpends /> : null}
        {me.operates_deployment ? <ChainsSection /> : null}
        <KillSwitches isOperator={me.operates_deployment} />
        {me.operates_deployment ? (
          <>
            <HeldTransfers />
            <HotWallets />
            <Positions />
            <Pipeline />
            <Reconciliation />
          </>
        ) : null}
        <PayoutLimits />
      </Stack>
    </>
  );
}
