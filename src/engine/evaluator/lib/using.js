// SPDX-License-Identifier: MIT
// using and await using: the resources of a block are a plain list of
// {later, value, dispose}; what nothing has to be done for has no dispose.

$realm("slow_using", (list, value, later) => {
	let dispose;

	if (value !== undefined && value !== null) {
		if (!$is_object(value))
			$throw_type("not an object");
		dispose = dispose_method(value, later);
	} else if (!later) {
		return;
	}
	push_resource(list, { __proto__: null, later, value, dispose });
});

const suppress = (threw, e, error) =>
	threw ? new SuppressedError(e, error) : e;

$realm("slow_dispose", (list, how, error) => {
	let threw = how === 1;

	for (let i = list.length - 1; i >= 0; i--) {
		try {
			$call(list[i].dispose, list[i].value);
		} catch (e) {
			error = suppress(threw, e, error);
			threw = true;
		}
	}
	if (threw)
		throw error;
});

// What has nothing to await is still waited for once.
$realm("slow_dispose_later", async (list, how, error) => {
	let threw = how === 1, owes = false, waited = false;

	for (let i = list.length - 1; i >= 0; i--) {
		const r = list[i];

		if (r.dispose === undefined) {
			owes = true;
			continue;
		}
		if (!r.later && owes && !waited) {
			await undefined;
			owes = false;
		}
		try {
			const result = $call(r.dispose, r.value);

			if (r.later) {
				waited = true;
				await result;
			}
		} catch (e) {
			error = suppress(threw, e, error);
			threw = true;
		}
	}
	if (owes && !waited)
		await undefined;
	if (threw)
		throw error;
});
