import {
  Button,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { StoreSettings } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { ImageField } from "../../components/image-field.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { fieldOfPointer } from "../../components/split-errors.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChoices } from "../currencies/currency-choices.ts";
import { ColorField } from "./color-field.tsx";
import { colorProblem } from "./color-problem.ts";
import { PagePreview } from "./page-preview.tsx";
import "./store-form.css";
import { type StoreValues, storePatchOf, storeValuesOf } from "./store-values.ts";

type Fields = { readonly form: UseFormReturnType<StoreValues> };

/** All store settings in one form; saving sends what was changed. */
export function StoreForm({
  settings,
  onSaved,
}: {
  readonly settings: StoreSettings["attributes"];
  readonly onSaved: (saved: StoreSettings) => void;
}) {
  const initialValues = storeValuesOf(settings);
  const { form, submit, isSending, problem } = useApiForm<StoreValues, StoreSettings>({
    initialValues,
    validate: {
      accent_color: (color) => colorProblem(color, "accent_color"),
      accent_color_dark: (color) => colorProblem(color, "accent_color_dark"),
    },
    // Errors of one origin appear at the field of all.
    fieldOf: (pointer) =>
      pointer.startsWith("/data/attributes/frame_ancestors")
        ? "frame_ancestors"
        : fieldOfPointer(pointer),
    send: async (values) => {
      const attributes = storePatchOf(initialValues, values);
      return (await api.patch("/store-settings/", { attributes })).data;
    },
    onDone: (saved) => {
      notifications.show({ message: t("Store settings saved.") });
      onSaved(saved);
    },
  });
  const isChanged = form.isDirty();
  return (
    <form className="store-form" onSubmit={submit}>
      <Stack gap="lg" maw={1120}>
        <Appearance form={form} />
        <Payers form={form} />
        <Embedding form={form} />
        <Defaults form={form} />
        <Payouts form={form} />
        <Accounting form={form} />
      </Stack>
      <Stack className="store-save" maw={1120} gap="sm">
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status">
            {isChanged ? t("You have unsaved changes.") : t("Nothing has changed.")}
          </Text>
          <Button type="submit" loading={isSending} disabled={!isChanged}>
            {t("Save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Appearance({ form }: Fields) {
  return (
    <Section title={t("Appearance")}>
      <div className="store-appearance">
        <Stack>
          <TextInput
            label={t("Store name")}
            description={t("The title of your payment pages.")}
            maxLength={64}
            {...form.getInputProps("shop_name")}
          />
          <ImageField
            label={t("Logo")}
            noun="logo"
            value={form.values.logo}
            error={form.errors["logo"]}
            onChange={(value) => {
              form.setFieldValue("logo", value);
            }}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: "start" }}>
            <ColorField
              form={form}
              name="accent_color"
              label={t("Color")}
              description={t(
                "Links and buttons, as #rrggbb. It must be readable on light backgrounds.",
              )}
            />
            <ColorField
              form={form}
              name="accent_color_dark"
              label={t("Color in dark mode")}
              description={t("Leave empty to lighten the color until it is readable.")}
            />
          </SimpleGrid>
        </Stack>
        <PagePreview values={form.values} />
      </div>
    </Section>
  );
}

function Payers({ form }: Fields) {
  return (
    <Section title={t("For payers")}>
      <Stack>
        <TextInput
          label={t("Support email")}
          description={t("Payers can contact this address with questions.")}
          type="email"
          maxLength={64}
          {...form.getInputProps("help_email")}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t("Return URL")}
            description={t("A link back to your store on the payment page.")}
            type="url"
            {...form.getInputProps("payment_page_redirect_url")}
          />
          <TextInput
            label={t("Return link text")}
            description={t("Default: “Return to” and the name of your store.")}
            maxLength={64}
            {...form.getInputProps("payment_page_button_text")}
          />
        </SimpleGrid>
        <Switch
          label={t("Show the tracking ID as order number")}
          {...form.getInputProps("shows_order_reference", { type: "checkbox" })}
        />
        <Switch
          label={t("Show a receipt after payment")}
          {...form.getInputProps("shows_receipt", { type: "checkbox" })}
        />
        <Textarea
          label={t("Receipt note")}
          description={t("For example your address and tax number.")}
          maxLength={500}
          autosize
          minRows={2}
          {...form.getInputProps("receipt_note")}
        />
      </Stack>
    </Section>
  );
}

function Embedding({ form }: Fields) {
  return (
    <Section title={t("Embedding")} anchor="embedding">
      <Text size="sm" c="dimmed" mb="sm">
        {t("The code of a payment button is under “Payment links”, at each link's “Embed”.")}
      </Text>
      <Textarea
        label={t("Websites that may embed the payment page")}
        description={t("One origin per line, for example https://shop.example. Empty: none.")}
        autosize
        minRows={2}
        {...form.getInputProps("frame_ancestors")}
      />
    </Section>
  );
}

function Defaults({ form }: Fields) {
  const currencies = useCurrencies();
  const code =
    currencies.get(form.values.tolerance_currency)?.attributes.alpha ?? t("in the currency below");
  return (
    <Section title={t("Defaults of deposits")}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t("Underpayment tolerance (%)")}
            description={t("Smaller shortfalls count as paid.")}
            inputMode="decimal"
            {...form.getInputProps("underpayment_percent")}
          />
          <TextInput
            label={t("Underpayment tolerance ({code})", { code })}
            description={t("The larger of both applies.")}
            inputMode="decimal"
            {...form.getInputProps("underpayment_amount")}
          />
          <TextInput
            label={t("Overpayment tolerance (%)")}
            description={t("Larger overpayments are put on hold. Default: 1%.")}
            inputMode="decimal"
            {...form.getInputProps("overpayment_percent")}
          />
          <TextInput
            label={t("Overpayment tolerance ({code})", { code })}
            description={t("The larger of both applies.")}
            inputMode="decimal"
            {...form.getInputProps("overpayment_amount")}
          />
        </SimpleGrid>
        <Select
          label={t("Currency of the amounts")}
          description={t("They apply to deposits into wallets of this currency.")}
          clearable
          searchable
          nothingFoundMessage={t("No matching currency")}
          data={currencyChoices([...currencies.values()])}
          {...form.getInputProps("tolerance_currency")}
          value={form.values.tolerance_currency === "" ? null : form.values.tolerance_currency}
          onChange={(value: string | null) => {
            form.setFieldValue("tolerance_currency", value ?? "");
          }}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t("Time limit (seconds)")}
            description={t("Merchant wallets: later payments are put on hold. Empty: no limit.")}
            inputMode="numeric"
            {...form.getInputProps("time_limit")}
          />
          <TextInput
            label={t("Callback URL")}
            description={t("Receives webhooks about deposits that name no other.")}
            type="url"
            {...form.getInputProps("callback_url")}
          />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}

function Accounting({ form }: Fields) {
  const currencies = useCurrencies();
  const fiat = [...currencies.values()].filter(
    ({ attributes }) => attributes.blockchain_name === null,
  );
  return (
    <Section title={t("Accounting")}>
      <Select
        label={t("Fiat currency")}
        description={t(
          "New payments and payouts are valued in it when they happen, in lists, exports and statements.",
        )}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t("No matching currency")}
        data={currencyChoices(fiat)}
        maw={400}
        {...form.getInputProps("fiat_currency")}
      />
    </Section>
  );
}

function Payouts({ form }: Fields) {
  return (
    <Section title={t("Payouts")}>
      <TextInput
        label={t("Wait for other payouts (seconds)")}
        description={t(
          "Payouts that share a transaction cost the operator less. 0: only those that wait at the same moment share one.",
        )}
        inputMode="numeric"
        maw={400}
        {...form.getInputProps("payout_batch_seconds")}
      />
    </Section>
  );
}
