import { Anchor, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { CodeText } from "../../components/code-text.tsx";
import { QrCode } from "../../components/qr-code.tsx";

/** What a payer is sent: the payment page of an invoice, or the address itself, each to be scanned and copied. */
export function DepositShare({ deposit }: { readonly deposit: Deposit }) {
  const { attributes, relationships } = deposit;
  const currencies = useCurrencies();
  const currency = currencies.get(relationships.currency.data?.id ?? "");
  const wallet = useWallets().get(relationships.wallet.data.id);
  const isInvoice = wallet?.attributes.type === 1 || attributes.address === null;
  const { tag } = (attributes.destination ?? {}) as { readonly tag?: string | null };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {isInvoice ? (
        <QrCode value={attributes.payment_page} label="QR code of the payment page" />
      ) : (
        <QrCode value={attributes.address} label="QR code of the address" />
      )}
      <Stack gap="sm">
        {isInvoice ? (
          <div>
            <Text size="sm" c="dimmed">
              Payment page
            </Text>
            <CodeText value={attributes.payment_page} label="the link of the payment page" />
            <Anchor href={attributes.payment_page} target="_blank" rel="noreferrer" size="sm">
              <Group gap={4} component="span" display="inline-flex">
                Open it <IconExternalLink size={14} aria-hidden="true" />
                <span className="only-heard">(in a new tab)</span>
              </Group>
            </Anchor>
          </div>
        ) : null}
        {attributes.address === null ? (
          <Text size="sm" c="dimmed">
            The address is there as soon as the payer has chosen what to pay with.
          </Text>
        ) : (
          <div>
            <Text size="sm" c="dimmed">
              Address for {codeOf(currencies, relationships.currency.data?.id)}
              {currency?.attributes.blockchain_name === undefined ||
              currency.attributes.blockchain_name === null
                ? ""
                : ` on ${currency.attributes.blockchain_name}`}
            </Text>
            <CodeText value={attributes.address} label="the address" />
            {tag === undefined || tag === null ? null : (
              <Text size="sm">
                With the tag <CodeText value={tag} label="the tag" />: without it the payment cannot
                be told apart.
              </Text>
            )}
          </div>
        )}
      </Stack>
    </SimpleGrid>
  );
}
