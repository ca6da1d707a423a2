import { Alert, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { useMe } from "../../api/me.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useRole } from "../../components/use-role.ts";
import { ActionLog } from "./action-log.tsx";
import { ChainControls } from "./chain-controls.tsx";
import { PaymentStories } from "./payment-stories.tsx";
import { ReceiverControls } from "./receiver-controls.tsx";
import "./simulator.css";

/** The sandbox's other side: whoever pays, the miners, and a receiver of callbacks that may fail. */
export function SimulatorPage() {
  const me = useMe();
  const { isOwner } = useRole();
  const [depositId, setDepositId] = useState<string | null>(null);
  if (me === null) return <PageHeader title="Simulator" />;
  if (!me.is_sandbox || !isOwner)
    return (
      <>
        <PageHeader title="Simulator" />
        <Alert color="gray" title={me.is_sandbox ? "Not for your role" : "There is none here"}>
          {me.is_sandbox
            ? "The Owner of the demo account plays the payers and the miners."
            : "Only a sandbox has a simulator: this deployment moves real money."}
        </Alert>
      </>
    );
  return (
    <>
      <PageHeader
        title="Simulator"
        description="Play whoever pays, the miners and your own shop, and see what the service makes of it."
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
