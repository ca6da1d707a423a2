import { Anchor, Group, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { CodeText } from "../../components/code-text.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { depositCode } from "./deposit-code.ts";
import { usePaymentUri } from "./use-payment-uri.ts";

/** The payment page of an invoice, or the deposit address, as a QR code and text to send to the payer. */
export function DepositShare({ deposit }: { readonly deposit: Deposit }) {
  const { attributes, relationships } = deposit;
  const currencies = useCurrencies();
  const currency = currencies.get(relationships.currency.data?.id ?? "");
  const wallet = useWallets().get(relationships.wallet.data.id);
  const isInvoice = wallet?.attributes.type === 1 || attributes.address === null;
  const tag = attributes.destination?.tag ?? null;
  const uri = usePaymentUri(attributes.payment_page, !isInvoice && tag !== null);
  const code = depositCode(attributes, isInvoice, uri);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {code === null ? (
        <Skeleton height={160} />
      ) : (
        <QrCode
          value={code.value}
          label={
            code.kind === "page" ? t("QR code of the payment link") : t("QR code of the address")
          }
        />
      )}
      <Stack gap="sm">
        {isInvoice ? (
          <div>
            <Text size="sm" c="dimmed">
              {t("Payment page")}
            </Text>
            <CodeText value={attributes.payment_page} label="payment link" />
            <Anchor href={attributes.payment_page} target="_blank" rel="noreferrer" size="sm">
              <Group gap={4} component="span" display="inline-flex">
                {t("Open payment page")} <IconExternalLink size={14} aria-hidden="true" />
                <span className="visually-hidden">{t("(in a new tab)")}</span>
              </Group>
            </Anchor>
          </div>
        ) : null}
        {attributes.address === null ? (
          <Text size="sm" c="dimmed">
            {attributes.is_active
              ? t("The address appears once the payer has chosen a currency.")
              : t("The address is being prepared. It appears within seconds.")}
          </Text>
        ) : (
          <div>
            <Text size="sm" c="dimmed">
              {depositAddressText(
                codeOf(currencies, relationships.currency.data?.id),
                currency?.attributes.blockchain_name,
              )}
            </Text>
            <CodeText value={attributes.address} label="address" />
            {tag === null ? null : (
              <Text size="sm">
                {rich(
                  "Required tag: {tag}. Payments without it can't be matched to this deposit.",
                  { tag: <CodeText value={tag} label="tag" /> },
                )}
              </Text>
            )}
          </div>
        )}
      </Stack>
    </SimpleGrid>
  );
}

function depositAddressText(code: string | null, chain: string | null | undefined): string {
  return chain == null
    ? t("Deposit address ({code})", { code: code ?? "" })
    : t("Deposit address ({code} on {chain})", { code: code ?? "", chain });
}
