import { Select, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { walletChoices } from "../wallets/wallet-choices.ts";

/** Asks for a receiver and sends it something signed that is about nothing. */
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
    <Dialog opened onClose={onClose} title="Test delivery">
      <DialogForm {...sending} action="Send" dismissal="Close" onClose={onClose}>
        <Text size="sm">
          A signed delivery of the type “test” goes to this URL as every callback does: same
          signatures, same retries. It names no deposit and no payout, so nothing is credited.
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
          label="On behalf of the wallet"
          description="Only who sees the wallet sees the delivery; may be left out by who sees them all."
          clearable
          clearButtonProps={{ "aria-label": "No wallet" }}
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
