import { Button, Card, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";

const pollMs = 2_000;
/** States that end a sale. */
const ended: readonly string[] = ["paid", "overpaid", "expired", "canceled", "refunded"];

/** A sale in progress: the code for the customer, and what has become of the payment. */
export function Sale({
  deposit,
  onNext,
}: {
  readonly deposit: Deposit;
  readonly onNext: () => void;
}) {
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const current = useQuery({
    queryKey: ["sale", deposit.id],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/", { id: deposit.id, signal })).data,
    initialData: deposit,
    refetchInterval: ({ state }) =>
      ended.includes(state.data?.attributes.state ?? "") ? false : pollMs,
  }).data;
  const { state, payment_page: page, target_amount_requested: amount } = current.attributes;
  const isEnded = ended.includes(state);
  return (
    <Card maw={400}>
      <Stack align="center">
        <div ref={heading} tabIndex={-1}>
          <Text className="pad-amount">
            <Amount value={amount ?? "0"} code={codeOf(currencies, walletCurrency(wallet))} />
          </Text>
        </div>
        <div role="status">
          <StatusBadge kind="deposit" value={state} />
        </div>
        {isEnded ? null : <QrCode value={page} label={t("QR code of the payment page")} />}
        {isEnded ? null : (
          <Text size="sm" c="dimmed" ta="center">
            {t(
              "The customer scans the code, chooses a currency and pays. This page updates automatically.",
            )}
          </Text>
        )}
        <Group justify="center">
          <Button variant={isEnded ? "filled" : "default"} onClick={onNext}>
            {t("New sale")}
          </Button>
          <ButtonLink
            variant="default"
            to="/deposits/$depositId"
            params={{ depositId: deposit.id }}
          >
            {t("View deposit")}
          </ButtonLink>
        </Group>
      </Stack>
    </Card>
  );
}
