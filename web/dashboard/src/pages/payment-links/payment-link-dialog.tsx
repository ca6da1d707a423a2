import { Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import type { PaymentLink } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { walletCurrencyChoices } from "../wallets/wallet-choices.ts";
import {
  attributesOfLink,
  emptyLink,
  type LinkValues,
  linkFaults,
  valuesOfLink,
} from "./payment-link-values.ts";

type Fields = { readonly form: UseFormReturnType<LinkValues> };

const amountTypes = [
  { value: "fixed", label: t("Fixed amount") },
  { value: "chosen", label: t("Payer enters the amount") },
  { value: "open", label: t("Any amount, in the currency that the payer sends") },
];

/** Creates a payment link (`link` null) or changes one. */
export function PaymentLinkDialog({
  link,
  onClose,
}: {
  readonly link: PaymentLink | null;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const currencies = useCurrencies();
  const merchants = [...useWallets().values()].filter(({ attributes }) => attributes.type === 1);
  const { form, ...sending } = useApiForm<LinkValues, unknown>({
    initialValues:
      link === null ? { ...emptyLink, wallet: merchants[0]?.id ?? "" } : valuesOfLink(link),
    validate: linkFaults,
    send: (values) => {
      const attributes = attributesOfLink(values);
      return link === null
        ? api.post("/payment-link/", {
            attributes,
            relationships: { wallet: { type: "wallet", id: values.wallet } },
          })
        : api.patch("/payment-link/{id}/", { id: link.id, attributes });
    },
    onDone: () => {
      void queries.invalidateQueries({ queryKey: ["list"] });
      onClose();
    },
  });
  const wallet = merchants.find(({ id }) => id === form.values.wallet);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={link === null ? t("New payment link") : t("Edit payment link")}
      size="lg"
    >
      <DialogForm {...sending} action={link === null ? t("Create") : t("Save")} onClose={onClose}>
        {link === null ? (
          <Select
            label={t("Receive into")}
            required
            allowDeselect={false}
            data={walletCurrencyChoices(merchants, currencies)}
            {...form.getInputProps("wallet")}
          />
        ) : null}
        <Offer form={form} />
        <Amounts form={form} code={codeOf(currencies, walletCurrency(wallet)) ?? ""} />
        <Limits form={form} />
        {link === null ? null : (
          <Switch
            label={t("Takes payments")}
            {...form.getInputProps("is_active", { type: "checkbox" })}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

function Offer({ form }: Fields) {
  return (
    <>
      <TextInput
        label={t("Name")}
        description={t("What the payment is for.")}
        required
        maxLength={64}
        {...form.getInputProps("name")}
      />
      <Textarea
        label={t("Description")}
        maxLength={256}
        autosize
        minRows={2}
        {...form.getInputProps("description")}
      />
      <ImageField
        label={t("Picture")}
        noun="picture"
        value={form.values.image}
        error={form.errors["image"]}
        onChange={(value) => {
          form.setFieldValue("image", value);
        }}
      />
    </>
  );
}

function Amounts({ form, code }: Fields & { readonly code: string }) {
  const { amount_type: type } = form.values;
  const field = (
    name: "amount" | "amount_min" | "amount_max",
    label: string,
    isRequired = false,
  ) => (
    <TextInput
      label={`${label} (${code})`}
      withAsterisk={isRequired}
      aria-required={isRequired}
      inputMode="decimal"
      autoComplete="off"
      {...form.getInputProps(name)}
    />
  );
  return (
    <>
      <Select
        label={t("Amount")}
        allowDeselect={false}
        data={amountTypes}
        {...form.getInputProps("amount_type")}
      />
      {type === "fixed" ? field("amount", t("Price"), true) : null}
      {type === "chosen" ? (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {field("amount_min", t("Smallest amount"))}
          {field("amount_max", t("Largest amount"))}
        </SimpleGrid>
      ) : null}
    </>
  );
}

function Limits({ form }: Fields) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t("Stock")}
          description={t("How often it can be paid. Empty: without limit.")}
          inputMode="numeric"
          {...form.getInputProps("stock")}
        />
        <TextInput
          label={t("Ends")}
          description={t("In your time zone. Empty: never.")}
          type="datetime-local"
          {...form.getInputProps("ends_at")}
        />
      </SimpleGrid>
      <TextInput
        label={t("Return URL")}
        description={t("A link on the payment page. Empty: the store's.")}
        type="url"
        {...form.getInputProps("payment_page_redirect_url")}
      />
    </>
  );
}
