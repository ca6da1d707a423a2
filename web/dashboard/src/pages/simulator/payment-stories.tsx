import { Anchor, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { describeProblem } from "../../api/problem.ts";
import { Amount } from "../../components/amount.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useAction } from "../../components/use-action.ts";
import { NewTestDeposit } from "./new-test-deposit.tsx";
import { playPayment, type Story } from "./simulator-api.ts";

const stories: readonly {
  readonly story: Story;
  readonly name: string;
  readonly text: string;
}[] = [
  { story: "exact", name: "Pay", text: "Exactly what is missing" },
  { story: "under", name: "Underpay", text: "Half of what is missing" },
  { story: "over", name: "Overpay", text: "Half as much again" },
  { story: "late", name: "Pay late", text: "After its time limit, which is cut short" },
  { story: "second", name: "Pay twice", text: "Once more after it is paid" },
  { story: "wrong_token", name: "Pay the wrong token", text: "Another currency of the chain" },
];

/** A deposit, how it stands, and everything that a payer may do to it. */
export function PaymentStories({
  depositId,
  onChoose,
}: {
  readonly depositId: string | null;
  readonly onChoose: (id: string) => void;
}) {
  const [amount, setAmount] = useState("");
  const queryClient = useQueryClient();
  const playing = useAction({
    mutationFn: (story: Story) => playPayment(depositId ?? "", story, amount.trim()),
    meta: { isShownByForm: true },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["simulator"] });
    },
  });
  const problem = playing.error === null ? null : describeProblem(playing.error);
  return (
    <Section title="Payments" action={<NewTestDeposit onCreated={onChoose} />}>
      <Stack>
        <Group align="end" gap="md">
          <DepositChoice depositId={depositId} onChoose={onChoose} />
          <TextInput
            label="Amount"
            description="Only if it is not to fit the story"
            value={amount}
            inputMode="decimal"
            onChange={({ currentTarget }) => {
              setAmount(currentTarget.value);
            }}
          />
        </Group>
        {depositId === null ? (
          <Text c="dimmed">Choose a deposit, or make one: then play what a payer does.</Text>
        ) : (
          <DepositState id={depositId} />
        )}
        <div className="story-grid">
          {stories.map(({ story, name, text }) => (
            <button
              key={story}
              type="button"
              className="story-button"
              disabled={depositId === null || playing.isPending}
              onClick={() => {
                playing.mutate(story);
              }}
            >
              <strong>{name}</strong>
              <span>{text}</span>
            </button>
          ))}
        </div>
        <div role="status">
          {playing.isPending ? (
            <Text size="sm">Playing it. A story with a wait in it takes some seconds.</Text>
          ) : playing.data === undefined ? null : (
            <Text size="sm">{playing.data.attributes.text}</Text>
          )}
        </div>
        <ProblemAlert problem={problem} />
      </Stack>
    </Section>
  );
}

function DepositChoice({
  depositId,
  onChoose,
}: {
  readonly depositId: string | null;
  readonly onChoose: (id: string) => void;
}) {
  const { data = [] } = useQuery({
    queryKey: ["simulator", "deposits"],
    queryFn: async ({ signal }) =>
      (await api.list("/deposit/", { page: { after: "", size: 25 }, signal })).data,
    refetchInterval: 5_000,
  });
  return (
    <NativeSelect
      label="Deposit"
      flex={1}
      miw={220}
      value={depositId ?? ""}
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value);
      }}
      data={[
        { value: "", label: "Choose a deposit", disabled: true },
        ...data.map(({ id, attributes }) => ({
          value: id,
          label: `${id}${attributes.label === null ? "" : `, ${attributes.label}`}`,
        })),
      ]}
    />
  );
}

function DepositState({ id }: { readonly id: string }) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const { data } = useQuery({
    queryKey: ["simulator", "deposit", id],
    queryFn: async ({ signal }) => (await api.get("/deposit/{id}/", { id, signal })).data,
    refetchInterval: 1_000,
  });
  if (data === undefined) return null;
  const { attributes, relationships } = data;
  const code = codeOf(currencies, walletCurrency(wallets.get(relationships.wallet.data.id)));
  return (
    <DetailList
      details={[
        {
          label: "Status",
          value: (
            <span data-testid="deposit-status">
              <StatusBadge kind="deposit" value={attributes.status} />
            </span>
          ),
        },
        {
          label: "Asked",
          value: <Amount value={attributes.target_amount_requested} code={code} />,
        },
        { label: "Paid", value: <Amount value={attributes.target_paid} code={code} /> },
        {
          label: "On its way",
          value: <Amount value={attributes.target_paid_pending} code={code} />,
        },
        {
          label: "See it",
          value: (
            <Group gap="md">
              <TextLink to="/deposits/$depositId" params={{ depositId: id }}>
                Deposit {id}
              </TextLink>
              <Anchor href={attributes.payment_page} target="_blank" rel="noreferrer">
                Its payment page
              </Anchor>
            </Group>
          ),
        },
      ]}
    />
  );
}
