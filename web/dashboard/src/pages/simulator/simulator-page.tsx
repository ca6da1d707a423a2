import { Alert, SimpleGrid, Stack } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../api/me.ts";
import { maySimulate } from "../../components/may-simulate.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { ActionLog } from "./action-log.tsx";
import { ChainControls } from "./chain-controls.tsx";
import { PaymentStories } from "./payment-stories.tsx";
import { ReceiverControls } from "./receiver-controls.tsx";
import "./simulator.css";

/** Simulates payers, miners and a callback endpoint in a sandbox. */
export function SimulatorPage() {
  const me = useMe();
  const role = useRole();
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const [depositId, setDepositId] = useState<string | null>(search["deposit"] ?? null);
  if (me === null) return <PageHeader title={t("Simulator")} />;
  if (!maySimulate(role, me))
    return (
      <>
        <PageHeader title={t("Simulator")} />
        <Alert color="gray" title={me.is_sandbox ? t("Access restricted") : t("Not available")}>
          {me.is_sandbox
            ? t("Only the Owner of the demo account can use the simulator.")
            : t("The simulator is only available in a sandbox. This deployment moves real funds.")}
        </Alert>
      </>
    );
  return (
    <>
      <PageHeader
        title={t("Simulator")}
        description={t(
          "Simulate payers, miners and your own endpoint, and watch how deposits react.",
        )}
      />
      <Stack gap="lg">
        <PaymentStories depositId={depositId} onChoose={setDepositId} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <ChainControls />
          <ReceiverControls />
        </SimpleGrid>
        <ActionLog />
      </Stack>
    </>
  );
}
