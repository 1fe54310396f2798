// What four neighbouring values of a result find in an operand that is broadcast: four neighbours, one value, or each a
// place of its own. Host code says the name.
const form_four = 0u;
const form_one = 1u;
const form_each = 2u;
