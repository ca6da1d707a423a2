import { ActionIcon, Button, Kbd, Modal, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { SearchHits } from "./search-hits.tsx";

const label = "Number, transaction, tracking id, label, address or payment link";

/** Finds deposits, payouts and transfers from everywhere, by a button or by `/`. */
export function SearchBox() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([
    ["/", open],
    ["mod+K", open],
  ]);
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">/</Kbd>}
        onClick={open}
      >
        Search
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label="Search" onClick={open}>
        <IconSearch size={18} />
      </ActionIcon>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Search"
        size="lg"
        yOffset="10vh"
        centered={false}
      >
        <Search onChoose={close} />
      </Modal>
    </>
  );
}

function Search({ onChoose }: { readonly onChoose: () => void }) {
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text.trim(), 250);
  return (
    <Stack>
      <TextInput
        data-autofocus
        type="search"
        label={label}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
      <SearchHits text={asked} isTyping={text.trim() !== asked} onChoose={onChoose} />
    </Stack>
  );
}
