import { Alert, Button, Card, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Payout } from "../../../../../client/src/api-types.gen.ts";
import { randomKey } from "../../../../../client/src/random-key.ts";
import { walletsQuery } from "../../api/lookups.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useAction } from "../../components/use-action.ts";
import { NewPayoutForm } from "./new-payout-form.tsx";
import { forgetSent, readSent, type SentPayout } from "./payout-draft.ts";
import { sendPayout } from "./send-payout.ts";

/** Asks for a payout, step by step; one whose answer was lost comes first. */
export function NewPayoutPage() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const wallets = useQuery(walletsQuery);
  const [unanswered, setUnanswered] = useState<SentPayout | null>(() => readSent(sessionStorage));
  const [key, setKey] = useState(randomKey);
  const done = (payout: Payout): void => {
    notifications.show({
      title: payout.attributes.status === 1 ? "It waits for approval" : "The payout is on its way",
      message: `Payout ${payout.id}`,
    });
    void queries.invalidateQueries();
    void navigate({ to: "/payouts/$payoutId", params: { payoutId: payout.id } });
  };
  return (
    <>
      <PageHeader
        title="New payout"
        back={{ to: "/payouts", label: "Payouts" }}
        description="Money leaves a wallet for an address, another wallet or a deposit."
      />
      {unanswered === null ? (
        wallets.data === undefined ? (
          wallets.error === null ? (
            <Skeleton height={320} maw={760} aria-busy="true" />
          ) : (
            <ErrorAlert error={wallets.error} />
          )
        ) : (
          <NewPayoutForm
            key={key}
            draftKey={key}
            wallets={wallets.data.filter(({ attributes }) => [1, 2, 5].includes(attributes.type))}
            walletId={search["wallet"] ?? ""}
            beneficiaryId={search["beneficiary"] ?? ""}
            onDone={done}
            onUnanswered={() => {
              setUnanswered(readSent(sessionStorage));
            }}
          />
        )
      ) : (
        <Unanswered
          sent={unanswered}
          onDone={done}
          onForget={() => {
            forgetSent(sessionStorage);
            setUnanswered(null);
            setKey(randomKey());
          }}
        />
      )}
    </>
  );
}

/** Nobody knows whether it was made: asking again with the same key finds out, and never makes a second one. */
function Unanswered({
  sent,
  onDone,
  onForget,
}: {
  readonly sent: SentPayout;
  readonly onDone: (payout: Payout) => void;
  readonly onForget: () => void;
}) {
  const asking = useAction({
    mutationFn: () => sendPayout(sent, true),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  const [isForgetting, forgetting] = useDisclosure(false);
  const { attributes } = sent.order;
  const amount = typeof attributes["amount"] === "string" ? attributes["amount"] : "";
  const address = typeof attributes["address"] === "string" ? ` to ${attributes["address"]}` : "";
  return (
    <Card maw={720}>
      <Stack>
        <Alert color="amber" role="alert" title="The last payout was not answered">
          You asked for {amount}
          {address}, and no answer came. It may have been made. Ask again: if it was made, it is
          found; if not, it is made now. It is never paid twice.
        </Alert>
        <ErrorAlert error={asking.error} />
        <Group justify="space-between">
          <Text size="sm">
            <TextLink to="/payouts">Look at the payouts</TextLink>
          </Text>
          <Group>
            <Button variant="default" onClick={forgetting.open}>
              Forget it
            </Button>
            <Button
              loading={asking.isPending}
              onClick={() => {
                asking.mutate();
              }}
            >
              Ask again
            </Button>
          </Group>
        </Group>
      </Stack>
      <ConfirmDialog
        isOpen={isForgetting}
        onClose={forgetting.close}
        title="Forget this payout?"
        action="Forget it"
        isDangerous
        act={() => {
          onForget();
          return Promise.resolve();
        }}
      >
        Look at the payouts first. If it was made, it stands there and is paid; what you ask for
        next is another payout.
      </ConfirmDialog>
    </Card>
  );
}
