import { Stack } from "@mantine/core";
import type { PaymentLink } from "../../../../../client/src/api-types.gen.ts";
import { CodeText } from "../../components/code-text.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { QrDownload } from "../../components/qr-download.tsx";
import { t } from "../../language/t.ts";

/** A link's QR code, to show, print or save. */
export function QrDialog({
  link: { id, attributes },
  onClose,
}: {
  readonly link: PaymentLink;
  readonly onClose: () => void;
}) {
  return (
    <Dialog opened onClose={onClose} title={t("QR code of {name}", { name: attributes.name })}>
      <Stack align="center">
        <QrCode value={attributes.url} label={t("QR code of the payment link")} />
        <CodeText value={attributes.url} label="payment link" />
        <QrDownload value={attributes.url} name={`payment-link-${id}`} />
      </Stack>
    </Dialog>
  );
}
