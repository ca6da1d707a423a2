import { Select, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { walletChoices } from "../wallets/wallet-choices.ts";

/** Sends a signed test callback to a URL. */
export function TestDialog({
  onClose,
  onSent,
}: {
  readonly onClose: () => void;
  readonly onSent: (callbackId: string) => void;
}) {
  const queries = useQueryClient();
  const wallets = useWallets();
  const { form, ...sending } = useApiForm({
    initialValues: { url: "", wallet: "" },
    send: ({ url, wallet }) =>
      api.post("/callback/test/", {
        attributes: { url: url.trim() },
        ...(wallet === "" ? {} : { relationships: { wallet: { type: "wallet", id: wallet } } }),
      }),
    onDone: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["list"] });
      onSent(data.id);
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("Send test webhook")}>
      <DialogForm {...sending} action={t("Send")} onClose={onClose}>
        <Text size="sm">
          {t(
            "Sends a webhook of type “test” to this URL, with the same signatures and retries as any other. It doesn't refer to a deposit or payout.",
          )}
        </Text>
        <TextInput
          label="URL"
          type="url"
          required
          maxLength={256}
          placeholder="https://shop.example/callback"
          {...form.getInputProps("url")}
        />
        <Select
          label={t("Wallet")}
          description={t(
            "Only members with access to this wallet see the delivery. Optional if you have access to all wallets.",
          )}
          clearable
          clearButtonProps={{ "aria-label": t("Clear wallet") }}
          data={walletChoices(wallets.values())}
          {...form.getInputProps("wallet")}
          value={form.values.wallet === "" ? null : form.values.wallet}
          onChange={(value: string | null) => {
            form.setFieldValue("wallet", value ?? "");
          }}
        />
      </DialogForm>
    </Dialog>
  );
}
