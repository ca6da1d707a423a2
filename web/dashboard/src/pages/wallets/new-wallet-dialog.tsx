import { Radio, Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { walletTypes } from "./wallet-types.ts";

/** Creates a wallet of a type and currency, and opens its page. */
export function NewWalletDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const currencies = useCurrencies();
  const { form, ...sending } = useApiForm({
    initialValues: { type: "1", currency: "840", label: "" },
    send: ({ type, currency, label }) =>
      api.post("/wallet/", {
        attributes: { type: Number(type) as 1 | 2 | 3 | 4 | 5, label },
        relationships: { currency: { type: "currency", id: currency } },
      }),
    onDone: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["lookup", "wallets"] });
      void queries.invalidateQueries({ queryKey: ["list"] });
      onClose();
      void navigate({ to: "/wallets/$walletId", params: { walletId: data.id } });
    },
  });
  const isMerchant = form.values.type === "1";
  const offered = [...currencies.values()].filter(
    ({ attributes }) => isMerchant || attributes.blockchain_name !== null,
  );
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t("New wallet")}>
      <DialogForm {...sending} action={t("Create wallet")} onClose={onClose}>
        <Radio.Group label={t("Type")} {...form.getInputProps("type")}>
          <Stack gap="sm" mt="xs">
            {walletTypes
              .filter(({ value }) => value !== "4")
              .map(({ value, label, purpose }) => (
                <Radio key={value} value={value} label={t(label)} description={t(purpose)} />
              ))}
          </Stack>
        </Radio.Group>
        <Select
          label={t("Currency")}
          searchable
          required
          allowDeselect={false}
          nothingFoundMessage={t("No matching currency")}
          data={offered.map(({ id, attributes }) => ({
            value: id,
            label: `${attributes.alpha} – ${attributes.name}`,
          }))}
          {...form.getInputProps("currency")}
        />
        <TextInput
          label={t("Label")}
          description={t("Optional. The default is the currency's name.")}
          maxLength={32}
          {...form.getInputProps("label")}
        />
      </DialogForm>
    </Dialog>
  );
}
