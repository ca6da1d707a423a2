import { Group, Stack, Text } from "@mantine/core";
import type { PaymentLink } from "../../../../../client/src/api-types.gen.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

/** The lines that show a link as a button on any website. */
export function EmbedDialog({
  link: { attributes },
  onClose,
}: {
  readonly link: PaymentLink;
  readonly onClose: () => void;
}) {
  const script = new URL("/embed.js", attributes.url).href;
  const code = `<script src="${script}" defer></script>
<button type="button" data-sluice-payment="${attributes.url}">${t("Pay with crypto")}</button>`;
  return (
    <Dialog opened onClose={onClose} title={t("Embed {name}", { name: attributes.name })} size="lg">
      <Stack>
        <Text size="sm">
          {rich(
            "Paste this into your website. The website must be among those that may embed your pages, in the {settings}.",
            {
              settings: (
                <TextLink to="/store" underline="always">
                  {t("store settings")}
                </TextLink>
              ),
            },
          )}
        </Text>
        <Group align="flex-start" wrap="nowrap">
          <pre className="embed-code">
            <code>{code}</code>
          </pre>
          <CopyButton value={code} label={t("Copy code")} />
        </Group>
      </Stack>
    </Dialog>
  );
}
