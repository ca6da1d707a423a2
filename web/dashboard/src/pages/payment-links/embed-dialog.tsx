import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { PaymentLink } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
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
          {t(
            "Paste this into your website. The button works only on websites that may embed your payment page.",
          )}
        </Text>
        <Embedders />
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

/** The websites on which the button works, or that there are none yet; nothing for members who may not see the store's settings. */
function Embedders() {
  const { mayAdminister } = useRole();
  const settings = useQuery({
    queryKey: ["embedders"],
    queryFn: async ({ signal }) => (await api.get("/store-settings/", { signal })).data,
    enabled: mayAdminister,
  });
  const origins = settings.data?.attributes.frame_ancestors;
  const change = (
    <TextLink to="/store" hash="embedding" underline="always">
      {t("store settings")}
    </TextLink>
  );
  if (!mayAdminister)
    return <Text size="sm">{t("Ask an Owner or Admin to add your website.")}</Text>;
  if (origins === undefined) return null;
  return origins.length === 0 ? (
    <Alert color="amber" title={t("No website may embed your payment page yet")}>
      {rich("Add the address of your website in the {settings} first.", { settings: change })}
    </Alert>
  ) : (
    <Text size="sm">
      {rich("Allowed: {websites}. Change them in the {settings}.", {
        websites: origins.join(", "),
        settings: change,
      })}
    </Text>
  );
}
