import { Anchor, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { describeProblem } from "../../api/problem.ts";
import { Amount } from "../../components/amount.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge, statusLabel } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useAction } from "../../components/use-action.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { actionText } from "./action-text.ts";
import { NewTestDeposit } from "./new-test-deposit.tsx";
import { playPayment, type Story } from "./simulator-api.ts";

const stories: readonly {
  readonly story: Story;
  readonly name: string;
  readonly text: string;
}[] = [
  { story: "exact", name: t("Pay"), text: t("The exact amount remaining") },
  { story: "under", name: t("Underpay"), text: t("Half of the amount remaining") },
  {
    story: "over",
    name: t("Overpay"),
    text: t("The amount remaining plus half of the amount requested"),
  },
  {
    story: "late",
    name: t("Pay late"),
    text: t("After the deposit expires (its time limit is shortened)"),
  },
  { story: "second", name: t("Pay twice"), text: t("Again after the deposit is paid") },
  {
    story: "wrong_token",
    name: t("Pay with the wrong token"),
    text: t("Another currency on the same chain"),
  },
];

/** Plays what a payer can do with a deposit, and shows the deposit's status. */
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
    mutationFn: (story: Story) => playPayment(depositId ?? "", story, normalizeDecimal(amount)),
    meta: { isShownByForm: true },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["simulator"] });
    },
  });
  const isPayable = useTestDeposit(depositId).data?.attributes.address != null;
  const problem = playing.error === null ? null : describeProblem(playing.error);
  return (
    <Section title={t("Payments")} action={<NewTestDeposit onCreated={onChoose} />}>
      <Stack>
        <Group align="end" gap="md">
          <DepositChoice depositId={depositId} onChoose={onChoose} />
          <TextInput
            label={t("Amount")}
            description={t("Optional: custom amount")}
            value={amount}
            inputMode="decimal"
            onChange={({ currentTarget }) => {
              setAmount(currentTarget.value);
            }}
          />
        </Group>
        {depositId === null ? (
          <Text c="dimmed">
            {t("Choose or create a deposit, then pay it with one of these scenarios.")}
          </Text>
        ) : (
          <DepositSummary id={depositId} />
        )}
        <div className="story-grid">
          {stories.map(({ story, name, text }) => (
            <button
              key={story}
              type="button"
              className="story-button"
              disabled={!isPayable || playing.isPending}
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
            <Text size="sm">{t("Running. This takes a few seconds.")}</Text>
          ) : playing.data === undefined ? null : (
            <Text size="sm">{actionText(playing.data.attributes.text)}</Text>
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
  const chosen = useTestDeposit(depositId).data;
  const { data = [] } = useQuery({
    queryKey: ["simulator", "deposits"],
    queryFn: async ({ signal }) =>
      (await api.list("/deposit/", { page: { after: "", size: 25 }, signal })).data,
    refetchInterval: 5_000,
  });
  return (
    <NativeSelect
      label={t("Deposit")}
      flex={1}
      miw={220}
      value={depositId ?? ""}
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value);
      }}
      data={[
        { value: "", label: t("Choose a deposit"), disabled: true },
        ...data.map(({ id, attributes }) => ({
          value: id,
          // The status below the list is read more often.
          label: [
            id,
            attributes.label,
            attributes.tracking_id,
            stateOf(id === chosen?.id ? chosen.attributes.state : attributes.state),
          ]
            .filter((part) => part !== null)
            .join(" · "),
        })),
      ]}
    />
  );
}

const stateOf = (state: string): string => statusLabel("deposit", state);

function useTestDeposit(id: string | null) {
  return useQuery({
    queryKey: ["simulator", "deposit", id],
    queryFn: async ({ signal }) => (await api.get("/deposit/{id}/", { id: id ?? "", signal })).data,
    refetchInterval: 1_000,
    enabled: id !== null,
  });
}

function DepositSummary({ id }: { readonly id: string }) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const { data } = useTestDeposit(id);
  if (data === undefined) return null;
  const { attributes, relationships } = data;
  const code = codeOf(currencies, walletCurrency(wallets.get(relationships.wallet.data.id)));
  const details = (
    <DetailList
      details={[
        {
          label: t("Status"),
          value: (
            <span data-testid="deposit-status">
              <StatusBadge kind="deposit" value={data.attributes.state} />
            </span>
          ),
        },
        {
          label: t("Requested"),
          value: <Amount value={attributes.target_amount_requested} code={code} />,
        },
        { label: t("Received"), value: <Amount value={attributes.target_paid} code={code} /> },
        {
          label: t("Pending"),
          value: <Amount value={attributes.target_paid_pending} code={code} />,
        },
        {
          label: t("Links"),
          value: (
            <Group gap="md">
              <TextLink to="/deposits/$depositId" params={{ depositId: id }}>
                {t("Deposit {id}", { id })}
              </TextLink>
              <Anchor href={attributes.payment_page} target="_blank" rel="noreferrer">
                {t("Payment page")}
              </Anchor>
            </Group>
          ),
        },
      ]}
    />
  );
  return (
    <>
      {attributes.address === null ? <CurrencyNote page={attributes.payment_page} /> : null}
      {details}
    </>
  );
}

/** Why a deposit cannot be paid yet. */
function CurrencyNote({ page }: { readonly page: string }) {
  return (
    <Text size="sm">
      {rich("The payer must choose a currency first: open the {page} and choose one.", {
        page: (
          <Anchor href={page} target="_blank" rel="noreferrer" underline="always">
            {t("payment page")}
          </Anchor>
        ),
      })}
    </Text>
  );
}
